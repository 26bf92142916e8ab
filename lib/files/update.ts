/** Changes a file and tells of it. */
import * as files from '../../schemas/files.ts'
import { changesBetween, merged } from '../entities/changes.ts'
import { Files, fileContext, type NewFile, type StoredFile } from '../entities/files.ts'
import type { Tx } from '../tx.ts'

/**
 * Writes what changed and emits file:updated; nothing when nothing changed.
 * @param told somebody says how far the file is: listeners wait for that, also where the file was so already
 */
export function updateFile(
  tx: Tx,
  file: StoredFile,
  changes: Partial<
    Pick<
      NewFile,
      'name' | 'description' | 'ext' | 'mode' | 'status' | 'statusReason' | 'workbookId' | 'actions' | 'encoding'
    >
  >,
  told = false,
): StoredFile {
  const after = merged(file, changes)
  if (after.status !== 'failed') delete after.statusReason
  if (!told && changesBetween(file, after).length === 0) return file
  tx.write(Files.replace(file, { ...after, updatedAt: tx.now }))
  const { status, workbookId, namespaces = [] } = after
  tx.emit(files.updated, fileContext(after), { status, ...(workbookId ? { workbookId } : {}) }, { namespaces })
  return { ...after, updatedAt: tx.now, rev: file.rev + 1 }
}
