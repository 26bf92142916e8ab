/** The process of `startPlatform`: ends with its parent, even if that is killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ParentMessage, ProcessMessage } from './messages.ts'
import { runPlatform } from './platform.ts'
import type { Platform } from './types.ts'

const { dataDir, ...options } = JSON.parse(process.argv[2]!) as { dataDir?: string; port?: number; cloudPort?: number }
const temporaryFolder = dataDir === undefined ? mkdtempSync(join(tmpdir(), 'wharf-')) : undefined
let platform: Platform | undefined
let isParentGone = false

const send = (message: ProcessMessage) => process.connected && process.send!(message, () => {})

function removeTemporaryFolder(): void {
  // Windows releases the files of a process that has just ended only after a while.
  if (temporaryFolder) rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

async function end(): Promise<void> {
  await platform?.stop()
  removeTemporaryFolder()
  process.exit()
}

process.on('disconnect', () => {
  isParentGone = true
  if (platform) void end()
})
// A terminal sends these to the whole group of processes. The parent decides when to end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('message', async ({ idle }: ParentMessage) => {
  await platform!.waitUntilIdle()
  send({ idle })
})

try {
  platform = await runPlatform({ ...options, dataDir: dataDir ?? temporaryFolder! })
  const { waitUntilIdle: _, stop: _stop, ...info } = platform
  send({ started: info })
  if (isParentGone) await end()
} catch (error) {
  removeTemporaryFolder()
  const { name, message } = error as Error
  send({ failed: { name, message } })
  process.exitCode = 1
  process.disconnect()
}
