import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Platform, runPlatform } from '../../../platform/src/index.ts'
import { UsageError } from '../exit-codes.ts'
import { printJsonLine } from '../output.ts'
import { deleteRunning, readSettings, type Settings, storeRunning } from '../settings.ts'

interface UpOptions {
  port: number
  data: string
  json?: boolean
}

const PACKAGE = '@wharf/platform'
const MAX_PORT = 65_535

export function addUp(program: Command): void {
  program
    .command('up')
    .description('Run a platform on this machine until it is interrupted')
    .addOption(
      new Option('--port <number>', 'port of the application and the API, or 0 for a free one')
        .argParser(parsePort)
        .default(3000)
        .env('PORT'),
    )
    .addOption(new Option('--data <folder>', 'folder of the data').default('.wharf').env('DATA_DIR'))
    .option('--json', 'print the address and the keys as a line of JSON')
    .action(async ({ port, data, json }: UpOptions) => {
      const interrupted = waitForSignal()
      const { runPlatform } = await loadPlatform()
      const platform = await runPlatform({ port, dataDir: data })
      const { secretKey } = findDevelopment(platform)
      storeRunning({ url: platform.url, token: secretKey })
      if (json) printJsonLine(describe(platform))
      else console.log(formatSummary(platform))
      await interrupted
      deleteRunning()
      await platform.stop()
      process.exit()
    })
}

function parsePort(text: string): number {
  const port = Number(text)
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= MAX_PORT) return port
  throw new InvalidArgumentError(`It must be a number from 0 to ${MAX_PORT}.`)
}

/** A second signal ends the process without waiting. */
const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })

/** It is optional, so that scripts that only import files need not install it. */
async function loadPlatform(): Promise<{ runPlatform: typeof runPlatform }> {
  try {
    return await import(PACKAGE)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(PACKAGE)) throw error
    throw new UsageError(`\`wharf up\` needs the package ${PACKAGE}, which is not installed here.`)
  }
}

const findDevelopment = ({ environments }: Platform) => environments.find(({ isProd }) => !isProd)!

const describe = ({ url, dataDir, accountId, admin, environments }: Platform) => ({
  url,
  dataDir,
  accountId,
  admin,
  environments,
})

function formatSummary(platform: Platform): string {
  const { url, admin, dataDir } = platform
  const { name, secretKey, publishableKey } = findDevelopment(platform)
  return `
Wharf is running.

  Application       ${url}
  API               ${url}/api/v1
  Administrator     ${admin.email}
  Password          ${admin.password}
  Secret key        ${secretKey}      (${name})
  Publishable key   ${publishableKey}
  Data              ${dataDir}

${explainSettings(url, readSettings())}
Ctrl-C stops it; the data stays.
`
}

const explainSettings = (url: string, settings: Settings): string =>
  settings.url === url
    ? 'The other `wharf` commands use it: try `wharf doctor` in another terminal.'
    : `The other \`wharf\` commands use ${settings.url}, where you are signed in. After \`wharf logout\` they use this one.`
