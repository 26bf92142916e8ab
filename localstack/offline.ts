/**
 * `npm run offline`: the same API, served by serverless-offline from the bundles in dist/ instead of by the embedded
 * gateway. The cloud under it is the embedded one. For those who know serverless-offline, and to see the bundles work.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bodyLimit } from './body-limits.ts'
import { closeOnSignals, startCloud } from './cloud/server.ts'
import { type Local, seed } from './seed.ts'
import { exitWith, settings } from './settings.ts'

export interface OfflineOptions {
  dataDir: string
  /** Port of the API. */
  port: number
  /** Port of the embedded cloud; 0 for any free one. */
  cloudPort: number
  /** Directory of serverless.yml and dist/. */
  root?: string
}

export interface Offline {
  /** Where serverless-offline answers. */
  apiUrl: string
  /** Where the embedded gateway serves the same API over the same data. */
  embeddedApiUrl: string
  /** The first account, its passwords and keys. */
  local: Local
  close(): Promise<void>
}

const SERVERLESS = createRequire(import.meta.url).resolve('osls/bin/serverless.js')
/** serverless-offline invokes any function for any caller, web pages among them: it does so where only this user's programs reach it. */
const SOCKET = 'offline.sock'
const STOP_GRACE_MS = 3_000
const READY = /Server ready/

/** Resolves when the API answers. @throws CannotStartError, or Error when serverless-offline ends before that */
export async function startOffline(options: OfflineOptions): Promise<Offline> {
  const root = options.root ?? process.cwd()
  const apiUrl = `http://127.0.0.1:${options.port}`
  const { dataDir, cloudPort } = options
  const cloud = await startCloud({ root, dataDir, cloudPort, apiPort: 0, ownPorts: [options.port], bodyLimit })
  try {
    const local = await seed(dataDir, { baseUrl: `${apiUrl}/api`, cloud })
    const stop = await serve(
      root,
      { httpPort: options.port, lambdaPort: join(dataDir, SOCKET) },
      { ...cloud.environment, BASE_URL: `${apiUrl}/api` },
    )
    return { apiUrl, embeddedApiUrl: cloud.apiUrl, local, close: () => stop().finally(cloud.close) }
  } catch (error) {
    await cloud.close()
    throw error
  }
}

/** Starts serverless-offline as a process of its own. @returns what stops it */
async function serve(
  root: string,
  ports: { httpPort: number; lambdaPort: string },
  environment: Record<string, string>,
): Promise<() => Promise<void>> {
  const flags = Object.entries(ports).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(process.execPath, [SERVERLESS, 'offline', 'start', ...flags], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const show = (chunk: Buffer) => {
      process.stderr.write(chunk)
      if (READY.test(chunk.toString())) resolve()
    }
    child.stdout.on('data', show)
    child.stderr.on('data', show)
    child.once('error', reject)
    void ended.then(() => reject(new Error(`serverless-offline ended with ${child.exitCode ?? child.signalCode}.`)))
  })
  return async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS)
    child.kill('SIGINT')
    await ended
    clearTimeout(kill)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const { dataDir, apiPort, cloudPort } = settings()
    const offline = await startOffline({ dataDir, port: apiPort, cloudPort })
    closeOnSignals(offline)
    console.log(`The API answers at ${offline.apiUrl}/api (serverless-offline). Keys: ${dataDir}/local.json`)
  } catch (error) {
    exitWith(error)
  }
}
