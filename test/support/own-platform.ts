/** A platform that no other file's tests ask, for what touches all accounts of a deployment. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFolderSecret, functionEnvironment } from '../../localstack/cloud/server/environment.ts'
import { readStack } from '../../localstack/cloud/stack.ts'
import type { Local } from '../../localstack/seed.ts'
import { type Server, useServer } from './api.ts'
import { startPlatform } from './platform.ts'
import { credentialsOf } from './signed-request.ts'

/** What callers, and code of the platform in this process, need of a platform started on a folder. */
export function serverOf(folder: string, { baseUrl, cloud, aws }: Local): Server {
  const apiUrl = baseUrl.replace(/\/api$/, '')
  const stack = readStack({ root: process.cwd(), stage: undefined, apiUrl, secret: dataFolderSecret(folder) })
  const access = { endpoint: cloud, credentials: credentialsOf(aws), ownPorts: [] }
  return { baseUrl, cloud, environment: functionEnvironment(stack, access) }
}

/** Has this file's callers ask it. Answers how it is ended. */
export async function ownPlatform(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-own-'))
  const platform = await startPlatform(folder)
  useServer(serverOf(folder, platform.local))
  return async () => {
    await platform.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
}
