import type { Readable } from 'node:stream'
import { openBody, readText } from './body.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'
import type { Store } from './store.ts'
import { parseDocument, type XmlElement } from './xml.ts'

export interface Call {
  request: S3Request
  /** In hex, or UNSIGNED-PAYLOAD; part of what the request signed. */
  payloadHash: string
  store: Store
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer | Readable
}

export type Operation = (call: Call) => Promise<Reply>

export async function readXml({ request, payloadHash }: Call, root: string): Promise<XmlElement> {
  const xml = parseDocument(await readText(openBody(request, payloadHash)), root)
  if (!xml) throw new S3Error('MalformedXML')
  return xml
}
