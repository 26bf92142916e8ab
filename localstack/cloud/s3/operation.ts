/**
 * What every S3 operation is: a function from a verified call to a reply.
 */
import type { Readable } from 'node:stream'
import type { Authentication } from './authenticate.ts'
import { openBody, readText } from './body.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'
import type { Store } from './store.ts'
import { parseDocument, type XmlElement } from './xml.ts'

/** Told of every object that came to be: put, posted, copied or completed. It must not throw. */
export type ObjectCreated = (bucket: string, key: string, sizeBytes: number) => void

export interface Call {
  request: S3Request
  authentication: Authentication
  store: Store
  onObjectCreated: ObjectCreated
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  /** Text is XML. Binary bodies need a content-length header. */
  body?: string | Buffer | Readable
}

export type Operation = (call: Call) => Promise<Reply>

/** Reads the XML document in the body of a call. @throws MalformedXML when it is something else. */
export async function readXml(
  { request, authentication }: Call,
  root: string,
  checksumOf: 'body' | 'object' = 'body',
): Promise<{ xml: XmlElement; source: string }> {
  const source = await readText(openBody(request, authentication, checksumOf))
  const xml = parseDocument(source, root)
  if (!xml) throw new S3Error('MalformedXML')
  return { xml, source }
}
