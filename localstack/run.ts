/** Starts the embedded cloud from the environment (PORT, CLOUD_PORT, DATA_DIR, CLOUD_FAULTS) and seeds it; one clear line when it cannot. */
import { bodyLimit } from './body-limits.ts'
import { type Cloud, closeOnSignals, startCloud } from './cloud/server.ts'
import { type Local, seed } from './seed.ts'
import { exitWith, settings } from './settings.ts'
import { builtOnDemand } from './web-build.ts'

process.env.LOG_LEVEL ??= 'WARN'
process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'

export interface Running {
  cloud: Cloud
  local: Local & { dataDir: string; file: string }
}

/** Ends the process with one line when the cloud cannot start. */
export async function run({ keepRunning }: { keepRunning: boolean }): Promise<Running> {
  try {
    const { dataDir, ...ports } = settings()
    const cloud = await startCloud({
      dataDir,
      ...ports,
      bodyLimit,
      faults: process.env.CLOUD_FAULTS,
      ...(keepRunning ? { web: builtOnDemand() } : {}),
    })
    if (keepRunning) closeOnSignals(cloud)
    const local = await seed(dataDir, { baseUrl: `${cloud.apiUrl}/api`, cloud })
    return { cloud, local: { ...local, dataDir, file: `${dataDir}/local.json` } }
  } catch (error) {
    return exitWith(error)
  }
}
