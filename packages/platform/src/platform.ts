/** Runs the platform in this process. `build.mjs` puts the files that it reads next to this bundle. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Running, startSeeded } from '../../../localstack/run.ts'
import { createApplication } from '../../../localstack/web-build.ts'
import type { Platform, PlatformInfo, PlatformOptions } from './types.ts'

const DEFAULT_PORT = 3000
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

let isRunning = false

/** A process can run one platform at a time, because its functions read the environment of the process. */
export async function runPlatform(options: PlatformOptions): Promise<Platform> {
  if (isRunning) throw new Error('This process already runs a platform.')
  isRunning = true
  try {
    return await start(options)
  } catch (error) {
    isRunning = false
    throw error
  }
}

async function start({ dataDir, port = DEFAULT_PORT, cloudPort = 0 }: PlatformOptions): Promise<Platform> {
  const running = await startSeeded({
    dataDir: resolve(dataDir),
    apiPort: port,
    cloudPort,
    root: ROOT,
    web: createApplication(async () => join(ROOT, 'web/dist')),
    faults: process.env.CLOUD_FAULTS,
  })
  // The folder contains credentials.
  writeFileSync(join(dataDir, '.gitignore'), '*\n')
  const { cloud } = running
  return {
    ...describe(running),
    waitUntilIdle: () => cloud.lambda.idle(),
    async stop() {
      await cloud.close()
      isRunning = false
    },
  }
}

const describe = ({ local }: Running): PlatformInfo => ({
  url: new URL(local.baseUrl).origin,
  dataDir: local.dataDir,
  accountId: local.accountId,
  admin: local.admin,
  environments: local.environments,
  aws: { endpoint: local.cloud, environment: local.aws },
})
