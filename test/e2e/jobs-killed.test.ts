/** Jobs over many records in a platform that is killed: the next process on the same data finishes each, as if nothing had been. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { rowsOf } from '../bench/jobs-killed.ts'
import { csvOf, FIELDS } from '../bench/records-data.ts'
import { killInTheMiddle } from '../support/killed-jobs.ts'
import { clientOf, extracted } from '../support/large-jobs.ts'
import { type Platform, startPlatform } from '../support/platform.ts'

const ROWS = 100_000

const running: Platform[] = []

afterEach(async () => {
  for (const platform of running) await platform.kill()
})

// Minutes long: test:nightly.
it.runIf(process.env.LONG)(
  'map, mutate, delete and export are finished: every record once, in one commit each',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-killed-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const start = async () => {
      const platform = await startPlatform(folder)
      running.push(platform)
      return platform
    }
    const platform = await start()
    const file = csvOf(ROWS)
    const client = clientOf(platform.local)
    const { id: spaceId } = await client.post('/spaces', { name: 'Killed' })
    const source = await extracted(client, spaceId, file)
    await killInTheMiddle({ platform, start, spaceId, source, fields: FIELDS, rows: () => rowsOf(file) })
    // Killed at least once: jobs that ended before are begun again until all are met in their middle.
    expect(running.length).toBeGreaterThan(1)
  },
  600_000,
)
