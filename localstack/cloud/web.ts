/**
 * The web application's files, as CloudFront gives them from the bucket in AWS: what is there as it is, the routes of the
 * application as its one page, and every answer with the headers serverless.yml declares. Knows no API.
 */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Service } from './service.ts'

export interface WebFolder {
  /** Settles with the folder once what is in it is built. */
  ready(): Promise<string>
}

/** The same as in the function `WebRoutes` of serverless.yml. */
const ROUTES = /^\/(?:$|s(?:\/|$)|console(?:\/|$)|(?:sign-in|signed-in|accept-invite|embed)\/?$)/
const FILES = /^\/(?:assets\/[\w.-]+|icon\.svg|wharf-importer\.js|embed-demo\.(?:html|js|css))$/
const FRAMED = /^\/embed\/?$/

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Where presigned addresses lead in AWS, as the policy names it. */
const BUCKETS = /https:\/\/[\w.-]+\.s3\.[\w.-]+/g

interface Read {
  bytes: Buffer
  packed: Buffer
}

/** @param endpoint where the buckets answer on this machine */
export function webPages(
  folder: WebFolder,
  headers: { pages: Record<string, string>; framed: Record<string, string> },
  endpoint: string,
): Service & { serves(req: IncomingMessage): boolean } {
  const kept = new Map<string, Promise<Read>>()
  const here = (given: Record<string, string>) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.replace(BUCKETS, endpoint)]))
  const pages = here(headers.pages)
  const framed = here(headers.framed)

  async function read(root: string, name: string): Promise<Read> {
    const bytes = await readFile(join(root, name))
    return { bytes, packed: gzipSync(bytes) }
  }

  return {
    serves: (req) => /^(GET|HEAD)$/.test(req.method!) && (ROUTES.test(pathOf(req)) || FILES.test(pathOf(req))),
    async handle(req, res) {
      const path = pathOf(req)
      const name = FILES.test(path) ? path.slice(1) : 'index.html'
      try {
        const root = await folder.ready()
        // Names of assets are hashes of what they hold; the others may change while this runs.
        const lasting = name.startsWith('assets/')
        const found = (lasting && kept.get(root + name)) || read(root, name)
        if (lasting) kept.set(root + name, found)
        const { bytes, packed } = await found
        const zipped = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''))
        const body = zipped ? packed : bytes
        res.writeHead(200, {
          ...(FRAMED.test(path) ? framed : pages),
          'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
          'content-length': body.length,
          'cache-control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
          vary: 'accept-encoding',
          ...(zipped ? { 'content-encoding': 'gzip' } : {}),
        })
        res.end(req.method === 'HEAD' ? undefined : body)
      } catch (error) {
        kept.delete(name)
        const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
        if (!missing) console.error('The web application cannot be served:', error)
        res.writeHead(missing ? 404 : 500, { 'content-type': 'text/plain' })
        res.end(missing ? 'Not Found' : 'The web application could not be built: npm run build:web says why.')
      }
    },
    close: async () => {},
  }
}

const pathOf = (req: IncomingMessage): string => req.url!.split('?', 1)[0]!
