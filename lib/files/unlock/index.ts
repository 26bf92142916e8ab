/** Replaces an encrypted workbook by its content. The password is used and forgotten. */

import { message } from '../../../schemas/messages/index.ts'
import { withPasswordThrottle } from '../../auth/login-throttle.ts'
import { conflict, unprocessablePassword } from '../../core/errors.ts'
import type { StoredFile } from '../../entities/files.ts'
import { deleteObject, getObject, putObject } from '../../objects/store.ts'
import type { Tx } from '../../tx.ts'
import { createMemoryBytes } from '../extract/bytes.ts'
import { explainUnsupported, isExtractable } from '../file-types.ts'
import { updateFile } from '../update.ts'
import { buildUnlockedKey } from '../upload.ts'
import { assertProtectedSize, openProtected } from './protection.ts'

export async function unlockFile(tx: Tx, file: StoredFile, password: string): Promise<StoredFile> {
  if (!isExtractable(file)) throw conflict(explainUnsupported(file.ext))
  assertProtectedSize(file.size)
  const decrypt = await openProtected(createMemoryBytes(file, await getObject(file.objectKey)))
  const workbook = await withPasswordThrottle(file.id, () => decrypt(password))
  if (!workbook) throw unprocessablePassword(message('files.wrongPassword'))
  const { environmentId, spaceId, id: fileId, mimetype: contentType } = file
  const objectKey = buildUnlockedKey({ environmentId, spaceId, fileId })
  await putObject(objectKey, workbook, { contentType })
  if (objectKey !== file.objectKey) tx.afterCommit(() => deleteObject(file.objectKey))
  const size = workbook.length
  return updateFile(tx, file, { objectKey, size, bytesReceived: size, status: 'complete' })
}
