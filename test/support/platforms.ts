/** Starts a platform for each worker, at most one for each core. Afterwards fails the run if stored data or logs contain a credential. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Server } from './api.ts'
import { readFilesBelow, SECRET_PATTERN, scanTable } from './secret-patterns.ts'

interface TestPlatform {
  server: Server
  log: string
  end(): Promise<void>
}

export default (project: TestProject): Promise<() => Promise<void>> => startPlatforms(project)

export async function startPlatforms(project: TestProject, ...options: string[]): Promise<() => Promise<void>> {
  const scratch = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  const count = Math.min(availableParallelism(), project.config.maxWorkers)
  const names = Array.from({ length: count }, (_, index) => `platform-${index + 1}`)
  const platforms = await Promise.all(names.map((name) => startPlatform(join(scratch, name), options)))
  project.provide(
    'servers',
    platforms.map(({ server }) => server),
  )
  project.provide('scratch', scratch)
  return async () => {
    const found = (await Promise.all(platforms.map(findStoredSecrets))).flat()
    await Promise.all(platforms.map(({ end }) => end()))
    rmSync(scratch, { recursive: true, force: true })
    if (found.length === 0) return
    console.error(`Credentials are stored in plain text:\n${found.slice(0, 20).join('\n')}`)
    process.exitCode = 1
  }
}

async function startPlatform(dataDir: string, options: string[]): Promise<TestPlatform> {
  const log = `${dataDir}.log`
  const output = openSync(log, 'a')
  const child = fork('scripts/run-bundled.mjs', ['test/support/platform-process.ts', dataDir, ...options], {
    execArgv: [],
    env: { LOG_LEVEL: 'DEBUG', POWERTOOLS_METRICS_DISABLED: 'true', ...process.env },
    stdio: ['ignore', output, output, 'ipc'],
  })
  child.once('exit', (code) => code && console.error(`A platform ended with ${code}:\n${readEnd(log)}`))
  const [server] = await Promise.race([once(child, 'message'), rejectOnExit(child)])
  return {
    server,
    log,
    end: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function rejectOnExit(child: ChildProcess): Promise<never> {
  await once(child, 'exit')
  throw new Error('A platform did not start.')
}

const readEnd = (log: string): string => readFileSync(log, 'utf8').split('\n').slice(-20).join('\n')

async function findStoredSecrets({ server, log }: TestPlatform): Promise<string[]> {
  const found: string[] = []
  const scan = (where: string, text: string): void => {
    for (const { index, 0: value } of text.matchAll(SECRET_PATTERN))
      found.push(`${where}: ...${text.slice(Math.max(0, index - 200), index)}${value.slice(0, 9)}...`)
  }
  for await (const page of scanTable(server.environment)) scan('table', page)
  for (const file of readFilesBelow(join(server.dataDir!, 's3'))) scan('bucket', file)
  for (const file of readFilesBelow(log)) scan('logs', file)
  return found
}
