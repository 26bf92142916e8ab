/** Programs of others, run as processes of their own against the server of the tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { server, until } from '../api.ts'

const PRELOAD = resolve(import.meta.dirname, '../../../packages/listener-driver/pubnub-preload.cjs')

export interface Running {
  /** Everything it has written so far, to either stream. */
  output(): string
  /** Waits until it has written this. */
  says(text: string | RegExp, seconds?: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a program with the preload and the addresses a listener needs. */
export function listening(
  args: string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Running {
  const { baseUrl } = server()
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
    async says(text, seconds = 40) {
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`It ended (${child.exitCode}): ${output}`)
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
