/** Environments: isolated worlds of an account; `development` and `production` exist by default. */
import * as z from 'zod'
import { Autobuild, AutobuildConfig } from './autobuild.ts'
import { Empty, EnvironmentContext, FieldChange } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Environment, GuestAuthentication } from './environment.ts'
import { Id, scoped } from './ids.ts'
import { maybe } from './optional.ts'
import { data, list as listOf, paged, pageQuery, Success } from './page.ts'
import { topic } from './topic.ts'
import { Month, MonthOfUse } from './usage.ts'

/** Origins one environment may name. */
export const ORIGINS_AT_MOST = 50
const Origin = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(\*|https?:\/\/[^/?#@\s]{1,250})$/, 'must be an origin, as https://app.example.com, or *')

const Config = z.object({
  name: z.string().trim().min(1).max(200),
  slug: maybe(z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and dashes')),
  isProd: z.boolean(),
  guestAuthentication: maybe(GuestAuthentication),
  metadata: maybe(z.record(z.string(), z.unknown())),
  translationsPath: maybe(z.string().max(2000)),
  namespaces: maybe(z.array(z.string())),
  languageOverride: maybe(z.string()),
  allowedOrigins: maybe(z.array(Origin).max(ORIGINS_AT_MOST)),
})

export const list = endpoint({
  id: 'environments.list',
  method: 'GET',
  path: '/environments',
  summary: 'Lists the environments the caller can use',
  policy: { can: 'environments:read', on: 'environments' },
  query: z.object(pageQuery(10)),
  reply: paged(Environment),
  example: {},
})

export const create = endpoint({
  id: 'environments.create',
  method: 'POST',
  path: '/environments',
  summary: 'Creates an environment with its two keys',
  policy: { can: 'environments:write', on: 'account' },
  audit: 'change',
  body: Config,
  reply: data(Environment),
  errors: ['conflict'],
  example: { body: { name: 'staging', isProd: false } },
})

const params = z.object({ environmentId: Id })
const at = 'params.environmentId'

export const get = endpoint({
  id: 'environments.get',
  method: 'GET',
  path: '/environments/{environmentId}',
  summary: 'Reads an environment',
  policy: { can: 'environments:read', on: 'environment', at },
  params,
  reply: data(Environment),
  example: { params: { environmentId: '{environmentId}' } },
})

export const update = endpoint({
  id: 'environments.update',
  method: 'PATCH',
  path: '/environments/{environmentId}',
  summary: 'Changes an environment',
  policy: { can: 'environments:write', on: 'environment', at },
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
    'Its keys stop working at once; its spaces, files and agents are removed in the background. The last production environment ' +
    'of an account stays.',
  policy: { can: 'environments:write', on: 'environment', at },
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
  summary: 'Says with which workbooks spaces begin',
  description:
    'A space created with `autoConfigure: true` has them at once, in the place of the job `space:configure`. There is one ' +
    'configuration for each app, and one for all other spaces.',
  policy: { can: 'environments:write', on: 'environment', at },
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
export const autobuilds = endpoint({
  id: 'environments.autobuilds',
  method: 'GET',
  path: '/environments/{environmentId}/autobuilds',
  summary: 'Lists the autobuild configurations of an environment',
  policy: { can: 'environments:read', on: 'environment', at },
  params,
  reply: listOf(Autobuild),
  example: { params: { environmentId: '{environmentId}' } },
})
export const removeAutobuild = endpoint({
  id: 'environments.removeAutobuild',
  method: 'DELETE',
  path: '/environments/{environmentId}/autobuilds/{autobuildId}',
  summary: 'Deletes an autobuild configuration; spaces stay as they are',
  policy: { can: 'environments:write', on: 'environment', at },
  params: z.object({ environmentId: Id, autobuildId: scoped('autobuild') }),
  reply: Success,
  errors: ['not-found'],
  example: { params: { environmentId: '{environmentId}', autobuildId: '{autobuildId}' } },
})

/** What is there now, what agents ran since a time, and what was used in a month, whatever became of it. */
export const Usage = z.object({
  environmentId: Id,
  /** Development environments are for building and testing: what is used there is not counted toward credits. */
  countsTowardCredits: z.boolean(),
  /** What is there now. */
  spaces: z.number().int(),
  workbooks: z.number().int(),
  sheets: z.number().int(),
  records: z.number().int(),
  files: z.number().int(),
  fileBytes: z.number().int(),
  /** Runs whose event was of this time; they are kept 30 days. */
  since: z.string(),
  agentRuns: z.number().int(),
  failedAgentRuns: z.number().int(),
  agentMilliseconds: z.number(),
  month: Month,
  used: MonthOfUse.shape.used,
  credited: MonthOfUse.shape.credited,
})
export const usage = endpoint({
  id: 'environments.usage',
  method: 'GET',
  path: '/environments/{environmentId}/usage',
  summary: 'Counts what an environment holds, how often its agents ran, and what was used in a month',
  description:
    '`used` has what was made, written and run in the month (UTC), each once, within seconds: it stays when records, files or spaces ' +
    'are deleted. `credited` is the part of it that was used while the environment was a production one; development never counts.',
  policy: { can: 'environments:read', on: 'environment', at },
  params,
  query: z.object({
    /** The first of the month (UTC) unless told. */
    since: z.iso.datetime({ offset: true }).optional(),
    /** `yyyy-mm`; the present one unless told. */
    month: Month.optional(),
  }),
  reply: data(Usage),
  example: { params: { environmentId: '{environmentId}' } },
})

const named = { environmentId: Id, name: z.string(), slug: z.string(), isProd: z.boolean() }
export const created = topic('environment:created', {
  when: 'an environment is created',
  payload: z.object(named),
  context: EnvironmentContext,
})
export const updated = topic('environment:updated', {
  when: 'an environment is changed',
  payload: z.object({ environmentId: Id, changes: z.array(FieldChange) }),
  context: EnvironmentContext,
})
export const deleted = topic('environment:deleted', {
  when: 'an environment is deleted',
  payload: z.object({ environmentId: Id, deletedAt: z.string(), deletedBy: z.string() }),
  context: EnvironmentContext,
})
export const autobuildCreated = topic('environment:autobuild-created', {
  when: 'an autobuild configuration is created',
  payload: Empty,
  context: z.looseObject({ ...EnvironmentContext.shape, appId: Id.optional() }),
})
