/** Endpoints for documents: Markdown pages in a space. */
import * as z from 'zod'
import { Actions } from './action.ts'
import { Empty, SpaceContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped, Time } from './ids.ts'
import { nullish } from './nullish.ts'
import { data, list, Success } from './page.ts'
import { topic } from './topic.ts'

export const MAX_DOCUMENT_BYTES = 300 * 1024

const documentFields = {
  title: z.string().max(500),
  body: z.string(),
  treatments: nullish(z.array(z.string()).max(100)),
  actions: nullish(Actions),
}

export const CreateDocument = z.object(documentFields)
export type CreateDocument = z.output<typeof CreateDocument>

export const Document = z.object({
  id: Id,
  spaceId: Id,
  environmentId: Id,
  title: z.string(),
  body: z.string(),
  treatments: z.array(z.string()).optional(),
  actions: Actions.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Document = z.infer<typeof Document>

export const create = endpoint({
  id: 'documents.create',
  method: 'POST',
  path: '/spaces/{spaceId}/documents',
  summary: 'Creates a document',
  description: `Must not exceed ${MAX_DOCUMENT_BYTES} bytes as JSON.`,
  policy: { can: 'documents:write', on: 'space', at: 'params.spaceId' },
  params: z.object({ spaceId: Id }),
  body: CreateDocument,
  reply: data(Document),
  errors: ['too-large'],
  example: { params: { spaceId: '{spaceId}' }, body: { title: 'Getting started', body: '# Welcome' } },
})
export const listed = endpoint({
  id: 'documents.list',
  method: 'GET',
  path: '/spaces/{spaceId}/documents',
  summary: "Lists a space's documents, oldest first",
  policy: { can: 'documents:read', on: 'space', at: 'params.spaceId' },
  params: z.object({ spaceId: Id }),
  reply: list(Document),
  also: ['large'],
  example: { params: { spaceId: '{spaceId}' } },
})

const params = z.object({ spaceId: scoped('space'), documentId: Id })
const idPath = 'params.documentId'
const example = { params: { spaceId: '{spaceId}', documentId: '{documentId}' } }

export const get = endpoint({
  id: 'documents.get',
  method: 'GET',
  path: '/spaces/{spaceId}/documents/{documentId}',
  summary: 'Reads a document',
  policy: { can: 'documents:read', on: 'document', at: idPath },
  params,
  reply: data(Document),
  errors: ['not-found'],
  example,
})
export const update = endpoint({
  id: 'documents.update',
  method: 'PATCH',
  path: '/spaces/{spaceId}/documents/{documentId}',
  summary: 'Updates a document; omitted properties are unchanged',
  policy: { can: 'documents:write', on: 'document', at: idPath },
  params,
  body: z.object({ ...documentFields, title: nullish(documentFields.title), body: nullish(documentFields.body) }),
  reply: data(Document),
  errors: ['not-found', 'too-large'],
  example: { ...example, body: { body: '# Welcome back' } },
})
export const remove = endpoint({
  id: 'documents.remove',
  method: 'DELETE',
  path: '/spaces/{spaceId}/documents/{documentId}',
  summary: 'Deletes a document',
  policy: { can: 'documents:write', on: 'document', at: idPath },
  params,
  reply: Success,
  errors: ['not-found'],
  example,
})

const documentEvent = { payload: Empty, context: z.looseObject({ ...SpaceContext.shape, documentId: Id }) }
export const created = topic('document:created', { when: 'a document is created', ...documentEvent })
export const updated = topic('document:updated', { when: 'a document is updated', ...documentEvent })
export const deleted = topic('document:deleted', { when: 'a document is deleted', ...documentEvent })
