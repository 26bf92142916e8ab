/** Starts the embedded cloud once for all tests, on free ports and a data folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startCloud } from '../../localstack/cloud/server.ts'
import { isLargeBodyRoute } from '../../localstack/large-body-routes.ts'
import './api.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  process.env.LOG_LEVEL ??= 'CRITICAL'
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'
  const cloud = await startCloud({ dataDir, cloudPort: 0, apiPort: 0, isLargeBodyRoute })
  await cloud.loaded
  project.provide('server', { baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint, environment: cloud.environment })
  return async () => {
    await cloud.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
