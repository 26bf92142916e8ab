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

export type StartOptions = Pick<
  Parameters<typeof startCloud>[0],
  'dataDir' | 'apiPort' | 'cloudPort' | 'root' | 'web' | 'faults'
>

/** @throws CannotStartError as `startCloud` does */
export async function startSeeded(
  options: StartOptions,
  onStarted: (cloud: Cloud) => void = () => {},
): Promise<Running> {
  const { dataDir } = options
  const cloud = await startCloud({ ...CLOUD_OPTIONS, ...options })
  onStarted(cloud)
  const local = await seed(dataDir, { baseUrl: `${cloud.apiUrl}/api`, cloud })
  return { cloud, local: { ...local, dataDir, file: `${dataDir}/local.json` } }
}

/** With the settings of the environment. Exits if it cannot start. */
export async function run({ keepRunning }: { keepRunning: boolean }): Promise<Running> {
  try {
    const options: StartOptions = { ...readSettings(), faults: process.env.CLOUD_FAULTS }
    if (!keepRunning) return await startSeeded(options)
    return await startSeeded({ ...options, web: createLazyBuild() }, closeOnSignals)
  } catch (error) {
    return exitWith(error)
  }
}
