/** Starts a separate platform, for tests that affect all accounts of a deployment. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { buildLocalVariables } from '../../localstack/cloud-options.ts'
import type { Local } from '../../localstack/seed.ts'
import { buildFunctionEnvironment, loadDataFolderSecret } from '../../packages/local-cloud/src/server/environment.ts'
import { readStack } from '../../packages/local-cloud/src/stack.ts'
import { type Server, useServer } from './api.ts'
import { type Platform, startPlatform } from './platform.ts'
import { getCredentials } from './signed-request.ts'

export function createServerInfo(folder: string, { baseUrl, cloud, aws }: Local): Server {
  const apiUrl = baseUrl.replace(/\/api$/, '')
  const stack = readStack({ root: process.cwd(), stage: undefined, apiUrl, secret: loadDataFolderSecret(folder) })
  const access = { endpoint: cloud, credentials: getCredentials(aws) }
  const environment = buildFunctionEnvironment(stack, access, buildLocalVariables([]))
  return { baseUrl, cloud, environment, dataDir: folder }
}

export function useOwnPlatform(): void {
  let end: () => Promise<void>
  beforeAll(async () => {
    end = await startOwnPlatform()
  }, 90_000)
  afterAll(() => end())
}

export async function startOwnPlatform(env: Record<string, string> = {}): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-own-'))
  const platform = await startPlatform(folder, env)
  useServer(createServerInfo(folder, platform.local))
  return async () => {
    await platform.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
}

export interface KillablePlatform {
  local(): Local
  /** Kills it (-9) and starts it on the same data and ports, because agents keep the address of the API. */
  killAndRestart(): Promise<void>
}

export function useKillablePlatform(): KillablePlatform {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-killed-'))
  let platform: Platform
  let ports: Record<string, string> = {}
  async function start(): Promise<void> {
    platform = await startPlatform(folder, ports)
    const { baseUrl, cloud } = platform.local
    ports = { PORT: new URL(baseUrl).port, CLOUD_PORT: new URL(cloud).port }
    useServer(createServerInfo(folder, platform.local))
  }
  beforeAll(start, 90_000)
  afterAll(async () => {
    await platform.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    local: () => platform.local,
    async killAndRestart() {
      await platform.kill()
      await start()
    },
  }
}
