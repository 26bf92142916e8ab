/** Temporary files without a name: the operating system frees them when the process ends, even after a crash. */
import { randomUUID } from 'node:crypto'
import { createReadStream, openSync, read, rmSync, write } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FileBytes } from './bytes.ts'

export function openTempFile(label: string): number {
  const path = join(tmpdir(), `wharf-${label}-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path, { force: true })
  return file
}

const readAt = promisify(read)
const writeAt = promisify(write)

export async function writeTempFile(
  file: number,
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (total: number) => void,
): Promise<number> {
  let total = 0
  for await (const chunk of bytes) {
    onBytes(total + chunk.length)
    for (let offset = 0; offset < chunk.length; )
      offset += (await writeAt(file, chunk, offset, chunk.length - offset, total + offset)).bytesWritten
    total += chunk.length
  }
  return total
}

export const createTempFileBytes = ({ name, ext }: FileBytes, file: number, size: number): FileBytes => ({
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
