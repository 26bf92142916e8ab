import type { Command } from 'commander'
import { Wharf } from '../../../sdk/src/index.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { type OutputOptions, printRows } from '../output.ts'
import { readSettings } from '../settings.ts'

type Check = {
  check: string
  result: 'ok' | 'failed'
  detail: string
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Check the address, the platform and the token')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const checks = await runChecks()
      printRows(checks, options)
      if (checks.some(({ result }) => result === 'failed')) process.exitCode = EXIT_CODES.failure
    })
}

async function runChecks(): Promise<Check[]> {
  const checks: Check[] = []
  const check = async (name: string, run: () => string | Promise<string>): Promise<boolean> => {
    try {
      checks.push({ check: name, result: 'ok', detail: await run() })
      return true
    } catch (error) {
      checks.push({ check: name, result: 'failed', detail: (error as Error).message })
      return false
    }
  }
  if (!(await check('settings', () => readSettings().url))) return checks
  const { url, token } = readSettings()
  const wharf = new Wharf({ baseUrl: url, token, retries: 0 })
  const isReachable = await check('platform', async () => {
    await wharf.health.ready()
    return 'table, bucket and bus respond'
  })
  if (!isReachable) return checks
  await check('token', async () => (await wharf.accounts.current()).name)
  await check('environments', async () => {
    const names = (await wharf.environments.list()).data.map(({ name }) => name)
    return names.join(', ') || 'none'
  })
  return checks
}
