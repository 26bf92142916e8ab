import * as files from '../../schemas/files/events.ts'
import { diffFields, mergeDefined } from '../core/diff.ts'
import { Files, fileContext, type NewFile, type StoredFile } from '../entities/files.ts'
import type { Tx } from '../tx.ts'

/** @param alwaysEmit emit even if unchanged, because listeners wait for an explicit status */
export function updateFile(
  tx: Tx,
  file: StoredFile,
  changes: Partial<
    Pick<
      NewFile,
      | 'name'
      | 'description'
      | 'ext'
      | 'mode'
      | 'status'
      | 'statusReason'
      | 'passwordRequired'
      | 'workbookId'
      | 'actions'
      | 'encoding'
      | 'objectKey'
      | 'size'
      | 'bytesReceived'
    >
  >,
  alwaysEmit = false,
): StoredFile {
  const after = mergeDefined(file, changes)
  if (after.status !== 'failed') {
    delete after.statusReason
    delete after.passwordRequired
  }
  if (!alwaysEmit && diffFields(file, after).length === 0) return file
  tx.write(Files.replace(file, { ...after, updatedAt: tx.now }))
  const { status, workbookId, namespaces = [] } = after
  tx.emit(files.updated, fileContext(after), { status, ...(workbookId ? { workbookId } : {}) }, { namespaces })
  return { ...after, updatedAt: tx.now, rev: file.rev + 1 }
}
