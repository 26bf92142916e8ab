/** Reads a request's body once, for the signature check and the service. */
import type { IncomingMessage } from 'node:http'

const bodies = new WeakMap<IncomingMessage, Promise<Buffer | undefined>>()

/** @returns undefined for a longer body, which is drained so that the client can read the response */
export async function readBody(req: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  const pendingBody = bodies.get(req) ?? receiveBody(req, limitBytes)
  bodies.set(req, pendingBody)
  const body = await pendingBody
  return body && body.length <= limitBytes ? body : undefined
}

async function receiveBody(req: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= limitBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return bytes <= limitBytes ? Buffer.concat(chunks, bytes) : undefined
}
