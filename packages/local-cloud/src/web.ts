/** Serves the web application like CloudFront: files, the page for its routes, and the stack's headers. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Service } from './service.ts'

export interface WebApplication {
  ready(): Promise<string>
  /** Paths that get index.html. */
  routes: RegExp
  files: RegExp
  /** Paths that never get index.html. Any other address does in a browser. */
  api: RegExp
  /** Routes that other sites may show in a frame. */
  framed: RegExp
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** The address of presigned URLs on AWS, as in the content security policy. */
const BUCKETS = /https:\/\/[\w.-]+\.s3\.[\w.-]+/g

interface WebFile {
  bytes: Buffer
  packed: Buffer
}

export function createWebPages(
  application: WebApplication,
  headers: { pages: Record<string, string>; framed: Record<string, string> },
  endpoint: string,
): Service & { serves(req: IncomingMessage): boolean } {
  const cache = new Map<string, Promise<WebFile>>()
  const replaceBuckets = (policyHeaders: Record<string, string>) =>
    Object.fromEntries(Object.entries(policyHeaders).map(([name, value]) => [name, value.replace(BUCKETS, endpoint)]))
  const pages = replaceBuckets(headers.pages)
  const framed = replaceBuckets(headers.framed)

  async function readWebFile(root: string, name: string): Promise<WebFile> {
    const bytes = await readFile(join(root, name))
    return { bytes, packed: gzipSync(bytes) }
  }

  return {
    serves(req) {
      const path = getPath(req)
      if (!/^(GET|HEAD)$/.test(req.method!) || application.api.test(path)) return false
      return application.routes.test(path) || application.files.test(path) || isPageOfBrowser(req)
    },
    async handle(req, res) {
      const path = getPath(req)
      const name = application.files.test(path) ? path.slice(1) : 'index.html'
      try {
        const root = await application.ready()
        // Asset names are content hashes; other files may change while this runs.
        const isAsset = name.startsWith('assets/')
        const file = (isAsset && cache.get(root + name)) || readWebFile(root, name)
        if (isAsset) cache.set(root + name, file)
        const { bytes, packed } = await file
        const acceptsGzip = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''))
        const body = acceptsGzip ? packed : bytes
        res.writeHead(200, {
          ...(application.framed.test(path) ? framed : pages),
          'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
          'content-length': body.length,
          'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
          vary: 'accept-encoding',
          ...(acceptsGzip ? { 'content-encoding': 'gzip' } : {}),
        })
        res.end(req.method === 'HEAD' ? undefined : body)
      } catch (error) {
        cache.delete(name)
        const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
        if (!isMissing) console.error('The web application could not be served:', error)
        res.writeHead(isMissing ? 404 : 500, { 'content-type': 'text/plain' })
        res.end(
          isMissing ? 'Not Found' : 'The web application could not be built: run "npm run build -- web" to see why.',
        )
      }
    },
    close: async () => {},
  }
}

const isPageOfBrowser = (req: IncomingMessage): boolean =>
  String(req.headers.accept ?? '').includes('text/html') && extname(getPath(req)) === ''

const getPath = (req: IncomingMessage): string => req.url!.split('?', 1)[0]!
