/** The embedded cloud with the web application before it, once for all tests in the browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bodyLimit } from '../../localstack/body-limits.ts'
import { startCloud } from '../../localstack/cloud/server.ts'
import { builtOnDemand } from '../../localstack/web-build.ts'
import '../support/api.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-web-'))
  process.env.LOG_LEVEL ??= 'CRITICAL'
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'
  const web = builtOnDemand()
  const cloud = await startCloud({ dataDir, cloudPort: 0, apiPort: 0, bodyLimit, web })
  await Promise.all([cloud.loaded, web.ready()])
  project.provide('server', { baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint, environment: cloud.environment })
  return async () => {
    await cloud.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
