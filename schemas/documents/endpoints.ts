/** Endpoints for documents: Markdown pages in a space. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, Success } from '../kit/page.ts'
import { CreateDocument, Document, documentFields, MAX_DOCUMENT_BYTES } from './shape.ts'

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
