/** A workbook that is an entry of an archive: kept on the disk while it is read, for its parts are read in any order. */
import { closeSync } from 'node:fs'
import { NESTED_BYTES, RATIO_FROM_BYTES, UNPACKED_RATIO } from '../../../schemas/files.ts'
import { unprocessable } from '../../core/errors.ts'
import type { FileBytes } from './bytes.ts'
import { openTemporary, temporaryBytes, writeTemporary } from './temporary.ts'
import { type Archive, openArchive } from './zip/archive.ts'

/** @throws ApiError unprocessable for archives that are no workbooks by their names, and for bombs */
export async function openNested(file: FileBytes): Promise<Archive> {
  const { within } = file
  if (!within || !/^xls[xm]$/.test(file.ext))
    throw unprocessable('It is a ZIP archive, which is not read within an archive.')
  const kept = openTemporary('nested')
  try {
    const size = await writeTemporary(kept, await file.stream(), (total) => {
      if (total > within.room.bytes)
        throw unprocessable(
          `With it the workbooks within the archive have more than ${NESTED_BYTES} bytes, which is not read: import it as a file of its own.`,
        )
    })
    within.room.bytes -= size
    const archive = await openArchive(temporaryBytes(file, kept, size))
    refuseBomb(archive, within.packedSize)
    return {
      ...archive,
      close: () => {
        archive.close()
        closeSync(kept)
      },
    }
  } catch (error) {
    closeSync(kept)
    throw error
  }
}

/** What is packed twice is held to the same ratio as what is packed once. */
function refuseBomb({ entries }: Archive, packedSize: number): void {
  const size = [...entries.values()].reduce((sum, entry) => sum + entry.size, 0)
  if (size > RATIO_FROM_BYTES && size > packedSize * UNPACKED_RATIO)
    throw unprocessable(
      `It unpacks to more than ${UNPACKED_RATIO} times its size in the archive, as a ZIP bomb does: it is not unpacked.`,
    )
}
