/** Endpoints of spaces. A space holds the files and workbooks of one import. */
import * as z from 'zod'
import { Actions } from '../actions/shape.ts'
import { CreateDocument, Document } from '../documents/shape.ts'
import { GuestAuthentication } from '../environments/shape.ts'
import { PUBLISHABLE_BODY_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ID_SCOPES, Id, narrowing, scoped, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, paged, pageQuery, QueryBoolean, QueryList, Success } from '../kit/page.ts'
import { Blueprint, Workbook } from '../workbooks/shape.ts'
import { SPACE_SORTS, Space } from './shape.ts'

const GuestSettings = z.looseObject({
  /** Guests may preview and run mutations, which run their code on the records. Off by default. */
  guestsRunMutations: z.boolean().nullish(),
})
export type GuestSettings = z.output<typeof GuestSettings>

const config = {
  name: nullish(z.string().max(500)),
  environmentId: nullish(scoped('environment')),
  primaryWorkbookId: nullish(scoped('workbook')),
  metadata: z.unknown().optional(),
  settings: nullish(GuestSettings),
  actions: nullish(Actions),
  access: nullish(z.array(z.enum(['*', 'upload']))),
  autoConfigure: nullish(z.boolean()),
  namespace: nullish(z.string()),
  labels: nullish(z.array(z.string())),
  translationsPath: nullish(z.string()),
  languageOverride: nullish(z.string()),
  appId: nullish(scoped('app')),
  spaceConfigId: nullish(unscoped("the client's name for it; it is not used for lookups", z.string().max(200))),
  isAppTemplate: nullish(z.boolean()),
  displayOrder: nullish(z.number()),
  guestAuthentication: nullish(GuestAuthentication),
}

const CreateSpace = z.object({ ...config, archivedAt: nullish(z.iso.datetime({ offset: true })) })
export type CreateSpace = z.output<typeof CreateSpace>

export const create = endpoint({
  id: 'spaces.create',
  method: 'POST',
  path: '/spaces',
  summary: 'Creates a space',
  description:
    '`autoConfigure: true` starts the job `space:configure`, which a listener or agent runs; if the environment has an ' +
    'autobuild configuration for the space, its workbooks are created immediately instead. Without `guestAuthentication` the space uses the setting of its ' +
    'environment, including later changes. With a time as `archivedAt` it is created archived. An `Idempotency-Key` has ' +
    'no effect with a publishable key, which all visitors of a page share: each request creates a space.',
  policy: { can: 'spaces:create', on: 'environment', at: 'body.environmentId', optional: true },
  body: CreateSpace,
  secrets: ['accessToken'],
  reply: data(Space),
  bodyBytes: PUBLISHABLE_BODY_BYTES,
  example: { body: { environmentId: '{environmentId}', name: 'Spring import' } },
})
export const init = endpoint({
  id: 'spaces.init',
  method: 'POST',
  path: '/internal/spaces/init',
  summary: 'Creates a space with a workbook and a document, for the page that embeds it',
  description:
    'Follows the protocol of published importers for web pages: `publishableKey` in the URL, no bearer token, the JSON sent as `text/plain`. ' +
    'Everything is created, or nothing. The workbook becomes the primary workbook of the space, unless the space names another. ' +
    'For a publishable key the response includes an `accessToken`, which works only in this space, for 24 hours.',
  policy: {
    can: 'spaces:create',
    on: 'environment',
    at: 'body.space.environmentId',
    optional: true,
    key: 'query.publishableKey',
  },
  query: z.object({ publishableKey: z.string().optional() }),
  body: z.object({
    space: CreateSpace.prefault({}),
    workbook: nullish(Blueprint),
    document: nullish(CreateDocument),
    externalActorId: nullish(unscoped("an id of the client's own system", z.string().max(500))),
  }),
  secrets: ['accessToken'],
  reply: data(z.object({ space: Space, workbook: Workbook.optional(), document: Document.optional() })),
  errors: ['too-large'],
  bodyBytes: PUBLISHABLE_BODY_BYTES,
  example: {
    body: {
      space: { environmentId: '{environmentId}', name: 'Spring import' },
      workbook: {
        name: 'Contacts',
        sheets: [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }],
      },
      document: { title: 'Getting started', body: '# Welcome' },
      externalActorId: 'customer-42',
    },
  },
})
export const list = endpoint({
  id: 'spaces.list',
  method: 'GET',
  path: '/spaces',
  summary: 'Lists spaces, newest first',
  policy: { can: 'spaces:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    search: z.string().optional(),
    namespace: z.string().optional(),
    archived: QueryBoolean.optional(),
    appId: narrowing('app').optional(),
    isAppTemplate: QueryBoolean.optional(),
    isCollaborative: QueryBoolean.optional(),
    app: z.string().optional(),
    sortField: z.enum(SPACE_SORTS).optional(),
    sortDirection: z.enum(['asc', 'desc']).optional(),
    ...pageQuery(10),
  }),
  reply: paged(Space),
  example: { query: { environmentId: '{environmentId}' } },
})
export const removeMany = endpoint({
  id: 'spaces.removeMany',
  method: 'DELETE',
  path: '/spaces',
  summary: 'Deletes spaces (at most 20 per call)',
  policy: { can: 'spaces:write', on: 'environments' },
  query: z.object({ spaceIds: QueryList(20).register(ID_SCOPES, { kinds: ['space'], rejectsForeign: true }) }),
  reply: Success,
  errors: ['not-found'],
  example: { query: { spaceIds: ['{spaceId}'] } },
})

const params = z.object({ spaceId: Id })
const at = 'params.spaceId'
const example = { params: { spaceId: '{spaceId}' } }

export const get = endpoint({
  id: 'spaces.get',
  method: 'GET',
  path: '/spaces/{spaceId}',
  summary: 'Reads a space',
  policy: { can: 'spaces:read', on: 'space', at },
  params,
  reply: data(Space),
  example,
})
export const update = endpoint({
  id: 'spaces.update',
  method: 'PATCH',
  path: '/spaces/{spaceId}',
  summary: 'Updates a space',
  description:
    'A time as `archivedAt` archives the space, `null` makes it active again; the time of the request is stored. With `null` as ' +
    '`guestAuthentication` the space uses the setting of its environment.',
  policy: { can: 'spaces:write', on: 'space', at },
  audit: { ofFields: ['guestAuthentication', 'access', 'settings'] },
  params,
  body: z.object({
    ...config,
    guestAuthentication: GuestAuthentication.nullable().optional(),
    archivedAt: z.iso.datetime({ offset: true }).nullable().optional(),
  }),
  reply: data(Space),
  errors: ['not-found'],
  example: { ...example, body: { name: 'Summer import' } },
})
export const rotateGuestLink = endpoint({
  id: 'spaces.rotateGuestLink',
  method: 'POST',
  path: '/spaces/{spaceId}/guest-link/rotate',
  summary: "Replaces a space's shared link",
  description:
    'The old link stops working, and guests who signed in with it are signed out on their next request. A link is also ' +
    'replaced when `guestAuthentication` changes to `magic_link`.',
  policy: { can: 'spaces:write', on: 'space', at },
  audit: 'change',
  params,
  secrets: ['guestLink'],
  reply: data(z.object({ guestLink: z.string() })),
  errors: ['conflict'],
  example,
})
export const remove = endpoint({
  id: 'spaces.remove',
  method: 'DELETE',
  path: '/spaces/{spaceId}',
  summary: 'Deletes a space with its workbooks and files',
  policy: { can: 'spaces:write', on: 'space', at },
  params,
  reply: Success,
  example,
})
export const archive = endpoint({
  id: 'spaces.archive',
  method: 'POST',
  path: '/spaces/{spaceId}/archive',
  summary: 'Archives a space: lists omit it by default',
  policy: { can: 'spaces:write', on: 'space', at },
  params,
  reply: Success,
  example,
})
export const unarchive = endpoint({
  id: 'spaces.unarchive',
  method: 'POST',
  path: '/spaces/{spaceId}/unarchive',
  summary: 'Makes an archived space active again',
  policy: { can: 'spaces:write', on: 'space', at },
  params,
  reply: Success,
  example,
})
