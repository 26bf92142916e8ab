/** Files on the disk beside the function, without a name: the system takes them back with their last user, however that one ends. */
import { randomUUID } from 'node:crypto'
import { createReadStream, openSync, read, rmSync, write } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FileBytes } from './bytes.ts'

/** @param what it holds, for whoever looks into the folder meanwhile */
export function openTemporary(what: string): number {
  const path = join(tmpdir(), `wharf-${what}-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path, { force: true })
  return file
}

const readAt = promisify(read)
const writeAt = promisify(write)

/** Writes the bytes of a file that comes as a stream; how many they are. @throws what `onBytes` throws */
export async function writeTemporary(
  file: number,
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (total: number) => void,
): Promise<number> {
  let total = 0
  for await (const chunk of bytes) {
    onBytes(total + chunk.length)
    for (let from = 0; from < chunk.length; )
      from += (await writeAt(file, chunk, from, chunk.length - from, total + from)).bytesWritten
    total += chunk.length
  }
  return total
}

/** The bytes that were written, in any range. */
export const temporaryBytes = ({ name, ext }: FileBytes, file: number, size: number): FileBytes => ({
  ...{ name, ext, size, isStored: true },
  stream: async () => createReadStream('', { fd: file, start: 0, autoClose: false }),
  range: async (start, end) => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start))
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await readAt(file, bytes, length, bytes.length - length, start + length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  },
  rangeStream: async (start, end) => createReadStream('', { fd: file, start, end: end - 1, autoClose: false }),
})
