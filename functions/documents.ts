import { diffFields, mergeDefined } from '../lib/core/diff.ts'
import { notFound } from '../lib/core/errors.ts'
import {
  assertDocumentFits,
  createDocument,
  Documents,
  documentContext,
  removeDocument,
  type StoredDocument,
} from '../lib/entities/documents.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as documents from '../schemas/documents/endpoints.ts'
import * as documentEvents from '../schemas/documents/events.ts'
import { success } from '../schemas/kit/page.ts'

const assertInSpace = (document: StoredDocument, spaceId: string): StoredDocument => {
  if (document.spaceId !== spaceId) throw notFound('document', document.id)
  return document
}

export const create = serve(documents.create)(async ({ space, body, tx }) => ({
  data: createDocument(tx, space, body),
}))

export const list = serve(documents.listed)(async ({ space, request }) => {
  const reply = documents.listed.reply.parse({ data: await Documents.inSpace(space.id) })
  return createLargeJsonReply(request, { environmentId: space.environmentId, spaceId: space.id }, 'documents', reply)
})

export const get = serve(documents.get)(async ({ document, params }) => ({
  data: assertInSpace(document, params.spaceId),
}))

export const update = serve(documents.update)(async ({ document, params, body, tx }) => {
  const before = assertInSpace(document, params.spaceId)
  const after = mergeDefined(before, body)
  if (diffFields(before, after).length === 0) return { data: before }
  assertDocumentFits(after)
  tx.write(Documents.replace(before, { ...after, updatedAt: tx.now }))
  tx.emit(documentEvents.updated, documentContext(after), {}, { namespaces: after.namespaces ?? [] })
  return { data: { ...after, updatedAt: tx.now } }
})

export const remove = serve(documents.remove)(async ({ document, params, tx }) => {
  removeDocument(tx, assertInSpace(document, params.spaceId))
  return success
})

export const handler = lambda(create, list, get, update, remove)
