import { parseXml, type XmlHandler } from '../xml.ts'
import type { Entry } from './archive.ts'

export async function* parseEntry(
  entry: Entry,
  handler: XmlHandler,
  options?: Parameters<typeof parseXml>[2],
): AsyncGenerator<number> {
  const stream = await entry.stream()
  try {
    yield* parseXml(stream, handler, options)
  } finally {
    stream.destroy()
  }
}

export const parsePart = (entry: Entry, handler: XmlHandler): AsyncGenerator<number> =>
  parseEntry(entry, handler, { part: entry.name })

export async function readPart(entry: Entry, handler: XmlHandler): Promise<void> {
  for await (const _ of parsePart(entry, handler));
}
