import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { toFileRows } from '../../bench/jobs-killed.ts'
import { buildCsv, FIELDS } from '../../bench/records-data.ts'
import { killInTheMiddle } from '../support/killed-jobs.ts'
import { createClient, uploadAndExtract } from '../support/large-jobs.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { IS_LONG_RUN } from '../support/runs.ts'

const ROWS = 100_000

const running: Platform[] = []

afterEach(async () => {
  for (const platform of running) await platform.kill()
})

it.runIf(IS_LONG_RUN)(
  'killed map, mutate, delete and export jobs are finished: every record once, in one commit each',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-killed-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const start = async () => {
      const platform = await startPlatform(folder)
      running.push(platform)
      return platform
    }
    const platform = await start()
    const file = buildCsv(ROWS)
    const client = createClient(platform.local)
    const { id: spaceId } = await client.post('/spaces', { name: 'Killed' })
    const source = await uploadAndExtract(client, spaceId, file)
    await killInTheMiddle({ platform, start, spaceId, source, fields: FIELDS, rows: () => toFileRows(file) })
    expect(running.length).toBeGreaterThan(1)
  },
  600_000,
)
