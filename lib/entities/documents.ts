import type * as z from 'zod'
import * as documents from '../../schemas/documents/events.ts'
import { type CreateDocument, Document, MAX_DOCUMENT_BYTES } from '../../schemas/documents/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { message } from '../../schemas/messages/index.ts'
import { tooLarge } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'
import { type StoredSpace, spaceNamespaces } from './spaces.ts'

const Shape = Document.extend({
  accountId: Id,
  namespaces: Namespaces,
})

const stored = entity({ name: 'document', shape: Shape, by: { inSpace: { index: 'gsi1', of: ['spaceId'] } } })
export type StoredDocument = Stored<typeof Shape>
export type NewDocument = z.infer<typeof Shape>

export const Documents = {
  ...stored,
  inSpace: (spaceId: string): Promise<StoredDocument[]> => stored.list('inSpace', { spaceId }),
}

/** The specification's CDOC. */
export const documentContext = (document: NewDocument) => ({
  environmentId: document.environmentId,
  spaceId: document.spaceId,
  documentId: document.id,
})

export function assertDocumentFits(document: NewDocument): void {
  const bytes = Buffer.byteLength(JSON.stringify(document))
  if (bytes > MAX_DOCUMENT_BYTES)
    throw tooLarge(message('requests.documentTooLarge', { limit: MAX_DOCUMENT_BYTES, bytes }))
}

export function createDocument(tx: Tx, space: StoredSpace, config: CreateDocument): NewDocument {
  const document: NewDocument = {
    ...config,
    id: newId('document'),
    accountId: space.accountId,
    environmentId: space.environmentId,
    spaceId: space.id,
    namespaces: spaceNamespaces(space),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  assertDocumentFits(document)
  tx.write(Documents.create(document))
  tx.emit(documents.created, documentContext(document), {}, { namespaces: spaceNamespaces(space) })
  return document
}

export function removeDocument(tx: Tx, document: StoredDocument): void {
  tx.write(stored.remove(document))
  tx.emit(documents.deleted, documentContext(document), {}, { namespaces: document.namespaces ?? [] })
}
