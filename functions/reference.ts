/** The reference over HTTP: files that are part of this function's package, each read and compressed once a process. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { notFound } from '../lib/core/errors.ts'
import type { Request } from '../lib/http/request.ts'
import { Bytes } from '../lib/http/respond.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { FILES, OPENAPI, PAGES, type ReferenceFile, VIEWER_PAGE } from '../lib/reference/files.ts'
import { htmlOf, navigation } from '../lib/reference/pages.ts'
import * as reference from '../schemas/reference.ts'

/** Scripts, styles and requests of this origin alone, none inside the page; no page of another origin may frame it. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const HTML = 'text/html; charset=utf-8'
const zip = promisify(gzip)

interface Kept {
  etag: string
  plain: Buffer
  zipped: Buffer
}
const kept = new Map<string, Promise<Kept>>()

async function keep(bytes: Buffer): Promise<Kept> {
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { etag, plain: bytes, zipped: await zip(bytes, { level: 9 }) }
}

/** Functions stand one folder below what they read, in the repository and in the package. */
const read = (path: string): Promise<Buffer> => readFile(new URL(`../${path}`, import.meta.url))

/** @param make its bytes, where they are not the file's own */
async function reply(
  request: Request,
  { path, type }: ReferenceFile,
  make: (text: string) => Promise<string> | string = (text) => text,
): Promise<Bytes> {
  let made = kept.get(path)
  if (!made) {
    made = read(path).then(async (bytes) => keep(Buffer.from(await make(bytes.toString('utf8')))))
    kept.set(path, made)
  }
  const { etag, plain, zipped } = await made
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=300',
    etag,
    vary: 'accept-encoding',
    ...(type === HTML ? { 'content-security-policy': PAGE_POLICY } : {}),
  }
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim())
  if (known?.some((tag) => tag === etag || tag === etag.slice(2) || tag === '*'))
    return new Bytes(Buffer.alloc(0), headers, 304)
  return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    ? new Bytes(zipped, { ...headers, 'content-encoding': 'gzip' })
    : new Bytes(plain, headers)
}

export const openApi = serve(reference.openApi)(({ request }) => reply(request, OPENAPI))

export const page = serve(reference.page)(({ request }) =>
  reply(request, VIEWER_PAGE, (html) => html.replace('<!-- pages -->', navigation())),
)

export const file = serve(reference.file)(async ({ params: { name }, request }) => {
  const found = FILES.get(name)
  if (found) return reply(request, found)
  const shown = PAGES.get(name)
  if (!shown) throw notFound('page', name)
  return reply(request, { path: shown.path, type: HTML }, (markdown) => htmlOf(name, markdown))
})

export const handler = lambda(openApi, page, file)
