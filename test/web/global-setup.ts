/** Starts the embedded cloud and the web application once for all browser tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { CLOUD_OPTIONS } from '../../localstack/cloud-options.ts'
import { createLazyBuild } from '../../localstack/web-build.ts'
import { startCloud } from '../../packages/local-cloud/src/server.ts'
import '../support/api.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-web-'))
  process.env.LOG_LEVEL ??= 'CRITICAL'
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'
  const web = createLazyBuild()
  const cloud = await startCloud({ ...CLOUD_OPTIONS, dataDir, cloudPort: 0, apiPort: 0, web })
  await Promise.all([cloud.loaded, web.ready()])
  const server = { baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint, environment: cloud.environment }
  project.provide('servers', [server])
  return async () => {
    await cloud.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
