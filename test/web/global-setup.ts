/** Starts the embedded cloud and the web application once for all browser tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findBodyLimit } from '../../localstack/body-limits.ts'
import { startCloud } from '../../localstack/cloud/server.ts'
import { createLazyBuild } from '../../localstack/web-build.ts'
import '../support/api.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-web-'))
  process.env.LOG_LEVEL ??= 'CRITICAL'
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'
  const web = createLazyBuild()
  const cloud = await startCloud({ dataDir, cloudPort: 0, apiPort: 0, bodyLimit: findBodyLimit, web })
  await Promise.all([cloud.loaded, web.ready()])
  project.provide('server', { baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint, environment: cloud.environment })
  return async () => {
    await cloud.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
