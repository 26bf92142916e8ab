import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { waitUntil } from './api.ts'
import { readBlocks } from './doc-blocks.ts'

export interface ReadmeRun {
  /** Resolves when all commands have ended; those in the background go on. */
  ended: Promise<void>
  getOutput(): string
  stop(): void
}

export function startReadme(path: string, cwd: string, env: Record<string, string | undefined>): ReadmeRun {
  const commands = readBlocks(path).flatMap(({ text, notRun }) => (notRun ? [] : text))
  const child = spawn('bash', ['-c', ['set -e\n', ...commands, '\necho; echo "the end"\n'].join('')], {
    ...{ cwd, env, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  async function waitForEnd(): Promise<void> {
    const [code] = await once(child, 'exit')
    expect(code, output).toBe(0)
    await waitUntil(async () => output.includes('the end'))
  }
  return {
    ended: waitForEnd(),
    getOutput: () => output,
    stop() {
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL')
      } catch {}
    },
  }
}
