/** Endpoints of environments, which isolate data. New accounts have `development` and `production`. */
import * as z from 'zod'
import { Month } from '../accounts/usage.ts'
import { AnyObject } from '../kit/any-object.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list as listOf, paged, pageQuery, Success } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { Autobuild, AutobuildConfig } from './autobuild.ts'
import { Environment, GuestAuthentication, MAX_ORIGINS_PER_ENVIRONMENT, Usage } from './shape.ts'

const Origin = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(\*|https?:\/\/[^/?#@\s]{1,250})$/, message('requests.originForm'))

const Config = z.object({
  name: z.string().trim().min(1).max(200),
  slug: nullish(z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, message('requests.environmentSlugForm'))),
  isProd: z.boolean(),
  guestAuthentication: nullish(GuestAuthentication),
  metadata: nullish(AnyObject),
  translationsPath: nullish(z.string().max(2000)),
  namespaces: nullish(z.array(z.string())),
  languageOverride: nullish(z.string()),
  allowedOrigins: nullish(z.array(Origin).max(MAX_ORIGINS_PER_ENVIRONMENT)),
})

export const list = endpoint({
  id: 'environments.list',
  method: 'GET',
  path: '/environments',
  summary: 'Lists the environments the caller can access',
  policy: { can: 'environments:read', on: 'environments' },
  query: z.object(pageQuery(10)),
  reply: paged(Environment),
  example: {},
})

export const create = endpoint({
  id: 'environments.create',
  method: 'POST',
  path: '/environments',
  summary: 'Creates an environment with a secret key and a publishable key',
  policy: { can: 'environments:write', on: 'account' },
  audit: 'change',
  body: Config,
  reply: data(Environment),
  errors: ['conflict'],
  example: { body: { name: 'staging', isProd: false } },
})

const params = z.object({ environmentId: Id })
const idPath = 'params.environmentId'

export const get = endpoint({
  id: 'environments.get',
  method: 'GET',
  path: '/environments/{environmentId}',
  summary: 'Reads an environment',
  policy: { can: 'environments:read', on: 'environment', at: idPath },
  params,
  reply: data(Environment),
  example: { params: { environmentId: '{environmentId}' } },
})

export const update = endpoint({
  id: 'environments.update',
  method: 'PATCH',
  path: '/environments/{environmentId}',
  summary: 'Updates an environment',
  policy: { can: 'environments:write', on: 'environment', at: idPath },
  audit: 'change',
  params,
  body: Config.partial(),
  reply: Environment,
  errors: ['conflict'],
  example: { params: { environmentId: '{environmentId}' }, body: { languageOverride: 'de' } },
})

export const remove = endpoint({
  id: 'environments.remove',
  method: 'DELETE',
  path: '/environments/{environmentId}',
  summary: 'Deletes an environment and everything in it',
  description:
    'Its keys stop working immediately; its spaces, files and agents are deleted in the background. The last production environment ' +
    'of an account cannot be deleted.',
  policy: { can: 'environments:write', on: 'environment', at: idPath },
  audit: 'change',
  params,
  reply: Success,
  errors: ['conflict'],
  example: { params: { environmentId: '{environmentId}' } },
})

export const createAutobuild = endpoint({
  id: 'environments.createAutobuild',
  method: 'POST',
  path: '/environments/{environmentId}/autobuilds',
  summary: 'Configures the workbooks of new spaces',
  description:
    'Spaces created with `autoConfigure: true` get these workbooks immediately, without a `space:configure` job. There can be one ' +
    'configuration per app, and one for all other spaces.',
  policy: { can: 'environments:write', on: 'environment', at: idPath },
  params,
  body: AutobuildConfig,
  reply: data(Autobuild),
  errors: ['not-found', 'conflict'],
  example: {
    params: { environmentId: '{environmentId}' },
    body: {
      workbooks: [
        { name: 'Contacts', sheets: [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }] },
      ],
    },
  },
})
export const replaceAutobuild = endpoint({
  id: 'environments.replaceAutobuild',
  method: 'PUT',
  path: '/environments/{environmentId}/autobuilds',
  summary: 'Configures the workbooks of new spaces, replacing the previous configuration',
  description:
    'Replaces the configuration of the same app, or without an app that of all other spaces, in one step, and keeps its id. Existing spaces are unchanged.',
  policy: { can: 'environments:write', on: 'environment', at: idPath },
  params,
  body: AutobuildConfig,
  reply: data(Autobuild),
  errors: ['not-found', 'conflict'],
  example: createAutobuild.example,
})
export const autobuilds = endpoint({
  id: 'environments.autobuilds',
  method: 'GET',
  path: '/environments/{environmentId}/autobuilds',
  summary: 'Lists the autobuild configurations of an environment',
  policy: { can: 'environments:read', on: 'environment', at: idPath },
  params,
  reply: listOf(Autobuild),
  example: { params: { environmentId: '{environmentId}' } },
})
export const removeAutobuild = endpoint({
  id: 'environments.removeAutobuild',
  method: 'DELETE',
  path: '/environments/{environmentId}/autobuilds/{autobuildId}',
  summary: 'Deletes an autobuild configuration; existing spaces are unchanged',
  policy: { can: 'environments:write', on: 'environment', at: idPath },
  params: z.object({ environmentId: Id, autobuildId: scoped('autobuild') }),
  reply: Success,
  errors: ['not-found'],
  example: { params: { environmentId: '{environmentId}', autobuildId: '{autobuildId}' } },
})
export const usage = endpoint({
  id: 'environments.usage',
  method: 'GET',
  path: '/environments/{environmentId}/usage',
  summary: 'Returns the contents, agent runs and monthly usage of an environment',
  description:
    '`used` counts what was created, written and run in the month (UTC), updated within seconds. It does not decrease when records, files or spaces ' +
    'are deleted. `billable` is the part used while it was a production environment; development usage is not counted.',
  policy: { can: 'environments:read', on: 'environment', at: idPath },
  params,
  query: z.object({
    since: z.iso.datetime({ offset: true }).optional(),
    month: Month.optional(),
  }),
  reply: data(Usage),
  example: { params: { environmentId: '{environmentId}' } },
})
