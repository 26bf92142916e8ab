/** Starts the embedded cloud from the environment (PORT, CLOUD_PORT, DATA_DIR, CLOUD_FAULTS) and seeds it; one clear line when it cannot. */
import { resolve } from 'node:path'
import { bodyLimit } from './body-limits.ts'
import { CannotStartError, type Cloud, closeOnSignals, startCloud } from './cloud/server.ts'
import { type Local, seed } from './seed.ts'
import { builtOnDemand } from './web-build.ts'

process.env.LOG_LEVEL ??= 'WARN'
process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'

export interface Running {
  cloud: Cloud
  local: Local & { dataDir: string; file: string }
}

const portOf = (name: string, fallback: number): number => {
  const text = process.env[name] ?? String(fallback)
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CannotStartError(`${name}=${text} is not a port.`)
  return port
}

/** Ends the process with one line when the cloud cannot start. */
export async function run({ keepRunning }: { keepRunning: boolean }): Promise<Running> {
  try {
    const dataDir = resolve(process.env.DATA_DIR ?? '.data')
    const cloud = await startCloud({
      dataDir,
      apiPort: portOf('PORT', 3000),
      cloudPort: portOf('CLOUD_PORT', 4566),
      bodyLimit,
      faults: process.env.CLOUD_FAULTS,
      ...(keepRunning ? { web: builtOnDemand() } : {}),
    })
    if (keepRunning) closeOnSignals(cloud)
    const local = await seed(dataDir, { baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint })
    return { cloud, local: { ...local, dataDir, file: `${dataDir}/local.json` } }
  } catch (error) {
    if (!(error instanceof CannotStartError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
