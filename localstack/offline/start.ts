/** `npm run offline`: the API served by serverless-offline from the bundles in dist/, on the embedded cloud. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { closeOnSignals, startCloud } from '../../packages/local-cloud/src/server.ts'
import { installTools } from '../../scripts/install-tools.ts'
import { buildLocalVariables, CLOUD_OPTIONS } from '../cloud-options.ts'
import { type Local, seed } from '../seed.ts'
import { exitWith, readSettings } from '../settings.ts'

export interface OfflineOptions {
  dataDir: string
  port: number
  cloudPort: number
  root?: string
}

export interface Offline {
  apiUrl: string
  embeddedApiUrl: string
  local: Local
  close(): Promise<void>
}

const SERVERLESS = createRequire(import.meta.url).resolve('osls/bin/serverless.js')
/** A Unix socket: serverless-offline lets any caller invoke any function, so its Lambda port must not be public. */
const SOCKET = 'offline.sock'
const STOP_GRACE_MS = 3_000
const READY = /Server ready/

/** Resolves when the API is ready. @throws CannotStartError, or Error if serverless-offline exits before */
export async function startOffline(options: OfflineOptions): Promise<Offline> {
  const root = options.root ?? process.cwd()
  const apiUrl = `http://127.0.0.1:${options.port}`
  const { dataDir, cloudPort } = options
  installTools('localstack/offline')
  const cloud = await startCloud({
    ...CLOUD_OPTIONS,
    root,
    dataDir,
    cloudPort,
    apiPort: 0,
    buildVariables: (ports) => buildLocalVariables([...ports, options.port]),
  })
  try {
    const local = await seed(dataDir, { baseUrl: `${apiUrl}/api`, cloud })
    const stop = await spawnServerlessOffline(
      root,
      { httpPort: options.port, lambdaPort: join(dataDir, SOCKET) },
      replaceAddress(cloud.environment, cloud.apiUrl, apiUrl),
    )
    return { apiUrl, embeddedApiUrl: cloud.apiUrl, local, close: () => stop().finally(cloud.close) }
  } catch (error) {
    await cloud.close()
    throw error
  }
}

const replaceAddress = (environment: Record<string, string>, from: string, to: string): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value.replace(from, to)]))

async function spawnServerlessOffline(
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
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const forwardOutput = (chunk: Buffer) => {
      process.stderr.write(chunk)
      if (READY.test(chunk.toString())) resolve()
    }
    child.stdout.on('data', forwardOutput)
    child.stderr.on('data', forwardOutput)
    child.once('error', reject)
    void exited.then(() => reject(new Error(`serverless-offline ended with ${child.exitCode ?? child.signalCode}.`)))
  })
  return async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS)
    child.kill('SIGINT')
    await exited
    clearTimeout(kill)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const { dataDir, apiPort, cloudPort } = readSettings()
    const offline = await startOffline({ dataDir, port: apiPort, cloudPort })
    closeOnSignals(offline)
    console.log(`The API runs at ${offline.apiUrl}/api (serverless-offline). Keys: ${dataDir}/local.json`)
  } catch (error) {
    exitWith(error)
  }
}
