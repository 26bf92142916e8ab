/** The type of S3 operations: functions from an authenticated call to a reply. */
import type { Readable } from 'node:stream'
import type { Authentication } from './authenticate.ts'
import { openBody, readText } from './body.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'
import type { Store } from './store.ts'
import { parseDocument, type XmlElement } from './xml.ts'

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
  body?: string | Buffer | Readable
}

export type Operation = (call: Call) => Promise<Reply>

export async function readXml(
  { request, authentication }: Call,
  root: string,
  checksumSubject: 'body' | 'object' = 'body',
): Promise<{ xml: XmlElement; source: string }> {
  const source = await readText(openBody(request, authentication, checksumSubject))
  const xml = parseDocument(source, root)
  if (!xml) throw new S3Error('MalformedXML')
  return { xml, source }
}
