/**
 * `npm run offline`: the same API, served by serverless-offline from the bundles in dist/ instead of by the embedded
 * gateway. The cloud under it is the embedded one. For those who know serverless-offline, and to see the bundles work.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
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
const STOP_GRACE_MS = 3_000
const READY = /Server ready/

/** Resolves when the API answers. @throws CannotStartError, or Error when serverless-offline ends before that */
export async function startOffline(options: OfflineOptions): Promise<Offline> {
  const root = options.root ?? process.cwd()
  const apiUrl = `http://127.0.0.1:${options.port}`
  const { dataDir, cloudPort } = options
  const [lambdaPort, websocketPort, albPort] = await Promise.all([freePort(), freePort(), freePort()])
  const ports = { httpPort: options.port, lambdaPort, websocketPort, albPort }
  const ownPorts = Object.values(ports)
  const cloud = await startCloud({ root, dataDir, cloudPort, apiPort: 0, ownPorts, bodyLimit })
  try {
    const local = await seed(dataDir, { baseUrl: `${apiUrl}/api`, cloud })
    const stop = await serve(root, ports, { ...cloud.environment, BASE_URL: `${apiUrl}/api` })
    return { apiUrl, embeddedApiUrl: cloud.apiUrl, local, close: () => stop().finally(cloud.close) }
  } catch (error) {
    await cloud.close()
    throw error
  }
}

/** Starts serverless-offline as a process of its own. @returns what stops it */
async function serve(
  root: string,
  ports: Record<string, number>,
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

/** serverless-offline opens ports for Lambda, web sockets and load balancers that nobody here uses. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
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
