/** The web application for the embedded cloud: built when it is first asked for and its build is missing or older than its sources. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { WebFolder } from './cloud/web.ts'

const SOURCES = ['web', 'packages/listener-driver/src', 'package-lock.json']

/** @param root the repository */
export function builtOnDemand(root = process.cwd()): WebFolder {
  const dist = resolve(root, 'web/dist')
  let building: Promise<string> | undefined
  const failed = () => {
    building = undefined
  }
  return {
    ready() {
      building ??= (isFresh(root, dist) ? Promise.resolve() : build(root)).then(() => dist)
      building.catch(failed)
      return building
    },
  }
}

const isFresh = (root: string, dist: string): boolean => {
  const page = join(dist, 'index.html')
  return existsSync(page) && newest(SOURCES.map((each) => resolve(root, each))) <= statSync(page).mtimeMs
}

/** When the youngest file at or below the paths was written, in milliseconds since 1970. */
function newest(paths: string[]): number {
  return paths.reduce((latest, path) => {
    const found = statSync(path)
    if (!found.isDirectory()) return Math.max(latest, found.mtimeMs)
    const inside = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules')
    return Math.max(latest, newest(inside.map((name) => join(path, name))))
  }, 0)
}

/** In a process of its own, so that requests are answered meanwhile. */
async function build(root: string): Promise<void> {
  const vite = resolve(root, 'node_modules/vite/bin/vite.js')
  const arguments_ = [vite, 'build', '--config', resolve(root, 'web/vite.config.ts'), '--logLevel', 'error']
  // Whoever starts it may be a test: what is built is for people all the same.
  await promisify(execFile)(process.execPath, arguments_, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  })
}
