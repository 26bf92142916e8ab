/** The API reference over HTTP: files of this function's package, each read and compressed once per process. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { notFound } from '../lib/core/errors.ts'
import type { Request } from '../lib/http/request.ts'
import { Bytes } from '../lib/http/response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { FILES, OPENAPI, PAGES, type ReferenceFile, VIEWER_PAGE } from '../lib/reference/files.ts'
import { renderNavigation, renderPage } from '../lib/reference/pages.ts'
import * as reference from '../schemas/reference/endpoints.ts'

/** Only scripts, styles and requests of this origin, none inline, and no framing by other origins. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const HTML = 'text/html; charset=utf-8'
const zip = promisify(gzip)

interface CachedFile {
  etag: string
  raw: Buffer
  gzipped: Buffer
}
const cache = new Map<string, Promise<CachedFile>>()

async function compressFile(bytes: Buffer): Promise<CachedFile> {
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { etag, raw: bytes, gzipped: await zip(bytes, { level: 9 }) }
}

const readPackaged = (path: string): Promise<Buffer> => readFile(new URL(`../${path}`, import.meta.url))

async function replyWithFile(
  request: Request,
  { path, type }: ReferenceFile,
  render: (text: string) => Promise<string> | string = (text) => text,
): Promise<Bytes> {
  let cached = cache.get(path)
  if (!cached) {
    cached = readPackaged(path).then(async (bytes) => compressFile(Buffer.from(await render(bytes.toString('utf8')))))
    cache.set(path, cached)
  }
  const { etag, raw, gzipped } = await cached
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=300',
    etag,
    vary: 'accept-encoding',
    ...(type === HTML ? { 'content-security-policy': PAGE_POLICY } : {}),
  }
  const knownTags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim())
  if (knownTags?.some((tag) => tag === etag || tag === etag.slice(2) || tag === '*'))
    return new Bytes(Buffer.alloc(0), headers, 304)
  return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    ? new Bytes(gzipped, { ...headers, 'content-encoding': 'gzip' })
    : new Bytes(raw, headers)
}

export const openApi = serve(reference.openApi)(({ request }) => replyWithFile(request, OPENAPI))

export const page = serve(reference.page)(({ request }) =>
  replyWithFile(request, VIEWER_PAGE, (html) => html.replace('<!-- pages -->', renderNavigation())),
)

export const file = serve(reference.file)(async ({ params: { name }, request }) => {
  const staticFile = FILES.get(name)
  if (staticFile) return replyWithFile(request, staticFile)
  const markdownPage = PAGES.get(name)
  if (!markdownPage) throw notFound('page', name)
  return replyWithFile(request, { path: markdownPage.path, type: HTML }, (markdown) => renderPage(name, markdown))
})

export const handler = lambda(openApi, page, file)
