import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Local } from '../localstack/seed.ts'
import { startPlatform } from '../test/support/platform.ts'

export const withPlatform = <T>(work: (local: Local) => Promise<T>): Promise<T> =>
  withDataFolder(async (folder) => {
    const platform = await startPlatform(folder)
    try {
      return await work(platform.local)
    } finally {
      await platform.stop()
    }
  })

export async function withDataFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
