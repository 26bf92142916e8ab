/** The body of a request, read once however many parts of the cloud need it: the signature covers it, the service parses it. */
import type { IncomingMessage } from 'node:http'

const bodies = new WeakMap<IncomingMessage, Promise<Buffer | undefined>>()

/**
 * @returns undefined for a longer body. That is read to its end and dropped, because a client that is still sending cannot read
 * the answer.
 */
export async function readBody(req: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  const reading = bodies.get(req) ?? receive(req, limitBytes)
  bodies.set(req, reading)
  const body = await reading
  return body && body.length <= limitBytes ? body : undefined
}

async function receive(req: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= limitBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return bytes <= limitBytes ? Buffer.concat(chunks, bytes) : undefined
}
