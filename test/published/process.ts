/** Runs third-party programs in their own process against the test server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { getServer, waitUntil } from '../support/api.ts'

const PRELOAD = resolve(import.meta.dirname, '../../packages/listener-driver/pubnub-preload.cjs')

export interface Running {
  output(): string
  waitForOutput(text: string | RegExp, seconds?: number): Promise<void>
  stop(): Promise<void>
}

export function startListener(
  args: string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Running {
  const { baseUrl } = getServer()
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      FLATFILE_API_URL: baseUrl,
      AGENT_INTERNAL_URL: baseUrl,
      NODE_OPTIONS: `--require ${PRELOAD}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return {
    output: () => output,
    async waitForOutput(text, seconds = 40) {
      await waitUntil(async () => {
        if (child.exitCode !== null) throw new Error(`The process exited (${child.exitCode}): ${output}`)
        return typeof text === 'string' ? output.includes(text) : text.test(output)
      }, seconds).catch((error: Error) => {
        throw new Error(`${error.message}\n${output}`)
      })
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), 2_000)
      await ended
      clearTimeout(kill)
    },
  }
}
