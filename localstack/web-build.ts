import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { WebApplication } from '../packages/local-cloud/src/server.ts'

/** The same as in the function `WebRoutes` of serverless.yml. */
const ROUTES = /^\/(?:$|s(?:\/|$)|console(?:\/|$)|(?:sign-in|signed-in|accept-invite|connect|embed)\/?$)/
const FILES = /^\/(?:assets\/[\w.-]+|icon\.svg|wharf-importer\.js|embed-demo\.(?:html|js|css))$/
const API = /^\/(?:api|v2|docs)(?:\/|$)/
const FRAMED = /^\/embed\/?$/
const SOURCES = ['web', 'packages/listener-driver/src', 'package-lock.json']

export const createApplication = (ready: WebApplication['ready']): WebApplication => ({
  routes: ROUTES,
  files: FILES,
  api: API,
  framed: FRAMED,
  ready,
})

/** Builds it on the first request if its build is missing or outdated. */
export function createLazyBuild(root = process.cwd()): WebApplication {
  let building: Promise<string> | undefined
  const resetBuild = () => {
    building = undefined
  }
  return createApplication(() => {
    building ??= buildIfOutdated(root)
    building.catch(resetBuild)
    return building
  })
}

async function buildIfOutdated(root: string): Promise<string> {
  const dist = resolve(root, 'web/dist')
  if (!isFresh(root, dist)) await build(root)
  return dist
}

const isFresh = (root: string, dist: string): boolean => {
  const indexPage = join(dist, 'index.html')
  return (
    existsSync(indexPage) &&
    findNewestTime(SOURCES.map((source) => resolve(root, source))) <= statSync(indexPage).mtimeMs
  )
}

function findNewestTime(paths: string[]): number {
  return paths.reduce((latest, path) => {
    const stats = statSync(path)
    if (!stats.isDirectory()) return Math.max(latest, stats.mtimeMs)
    const names = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules')
    return Math.max(latest, findNewestTime(names.map((name) => join(path, name))))
  }, 0)
}

/** In a separate process, so that requests are served meanwhile. */
async function build(root: string): Promise<void> {
  const vite = resolve(root, 'node_modules/vite/bin/vite.js')
  const arguments_ = [vite, 'build', '--config', resolve(root, 'web/vite.config.ts'), '--logLevel', 'error']
  // Always a production build, even if a test starts it.
  await promisify(execFile)(process.execPath, arguments_, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  })
}
