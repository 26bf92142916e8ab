/** Starts the embedded cloud from the environment and seeds it. */

import { type Cloud, closeOnSignals, startCloud } from '../packages/local-cloud/src/server.ts'
import { CLOUD_OPTIONS } from './cloud-options.ts'
import { type Local, seed } from './seed.ts'
import { exitWith, readSettings } from './settings.ts'
import { createLazyBuild } from './web-build.ts'

process.env.LOG_LEVEL ??= 'WARN'
process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'

export interface Running {
  cloud: Cloud
  local: Local & { dataDir: string; file: string }
}

export async function run({ keepRunning }: { keepRunning: boolean }): Promise<Running> {
  try {
    const { dataDir, ...ports } = readSettings()
    const cloud = await startCloud({
      ...CLOUD_OPTIONS,
      ...ports,
      dataDir,
      faults: process.env.CLOUD_FAULTS,
      ...(keepRunning ? { web: createLazyBuild() } : {}),
    })
    if (keepRunning) closeOnSignals(cloud)
    const local = await seed(dataDir, { baseUrl: `${cloud.apiUrl}/api`, cloud })
    return { cloud, local: { ...local, dataDir, file: `${dataDir}/local.json` } }
  } catch (error) {
    return exitWith(error)
  }
}
