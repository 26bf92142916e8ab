/** Workbooks, Parquet and Arrow files inside an archive are copied to disk, because they need random access. */

import { closeSync } from 'node:fs'
import {
  MAX_COMPRESSION_RATIO,
  MAX_NESTED_WORKBOOK_BYTES,
  UNCHECKED_RATIO_BYTES,
} from '../../../schemas/files/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { isWorkbookExtension } from '../file-types.ts'
import type { FileBytes } from './bytes.ts'
import { createTempFileBytes, openTempFile, writeTempFile } from './temp-file.ts'
import { type Archive, openArchive } from './zip/archive.ts'

export async function openNested(file: FileBytes): Promise<Archive> {
  const { entryInfo } = file
  if (!entryInfo || !isWorkbookExtension(file.ext)) throw unprocessable(message('files.nestedZip'))
  const copied = await copyToDisk(file)
  try {
    const archive = await openArchive(copied.bytes)
    assertNotBomb(archive, entryInfo.packedSize)
    return {
      ...archive,
      close: () => {
        archive.close()
        copied.close()
      },
    }
  } catch (error) {
    copied.close()
    throw error
  }
}

export async function copyToDisk(file: FileBytes): Promise<{ bytes: FileBytes; close(): void }> {
  const diskBudget = file.entryInfo!.diskBudget
  const tempFile = openTempFile('nested')
  try {
    const size = await writeTempFile(tempFile, await file.stream(), (total) => {
      if (total > diskBudget.bytes)
        throw unprocessable(message('files.nestedWorkbooksTooLarge', { count: MAX_NESTED_WORKBOOK_BYTES }))
    })
    diskBudget.bytes -= size
    return { bytes: createTempFileBytes(file, tempFile, size), close: () => closeSync(tempFile) }
  } catch (error) {
    closeSync(tempFile)
    throw error
  }
}

function assertNotBomb({ entries }: Archive, packedSize: number): void {
  const size = [...entries.values()].reduce((sum, entry) => sum + entry.size, 0)
  if (size > UNCHECKED_RATIO_BYTES && size > packedSize * MAX_COMPRESSION_RATIO)
    throw unprocessable(message('files.nestedBomb', { ratio: MAX_COMPRESSION_RATIO }))
}
