import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { RangeReader } from './index.ts'

/** A file on disk for `files.upload` and `importFile`, of which up to three parts at a time are in memory. */
export async function openFile(path: string): Promise<RangeReader> {
  const { size } = await stat(path)
  return { name: basename(path), size, read: (start, end) => readRange(path, start, end) }
}

async function readRange(path: string, start: number, end: number): Promise<Blob> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(end - start), 0, end - start, start)
    return new Blob([buffer.subarray(0, bytesRead)])
  } finally {
    await handle.close()
  }
}
