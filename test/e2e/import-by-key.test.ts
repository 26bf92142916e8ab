/** Upserts rows into as many records, killed (-9) while it runs, and undoes it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { buildCsv, FIELDS } from '../../bench/records-data.ts'
import {
  createClient,
  createSheet,
  jobs,
  readSheetRows,
  runJob,
  startJob,
  uploadAndExtract,
  waitForJob,
} from '../support/large-jobs.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { IS_LONG_RUN } from '../support/runs.ts'

const ROWS = IS_LONG_RUN ? 1_000_000 : 100_000
const REMOVED = ROWS / 10
const CHANGED = ROWS / 4
const RESTARTS = 10

const running: Platform[] = []
afterEach(async () => {
  for (const platform of running) await platform.kill()
})

it(`a killed upsert of ${ROWS.toLocaleString('en')} rows has exact counts, writes each row once, and can be undone`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-upsert-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const start = async () => {
    const platform = await startPlatform(folder)
    running.push(platform)
    return platform
  }
  let platform = await start()
  const client = () => createClient(platform.local)
  const { id: spaceId } = await client().post('/spaces', { name: 'Upsert' })
  const source = await uploadAndExtract(client(), spaceId, buildCsv(ROWS))
  const sheet = await createSheet(client(), spaceId, FIELDS)
  await runJob(client(), jobs.map(source, sheet))
  const getIndex = (row: { customer_id: string }): number => (Number(row.customer_id.slice(1)) - 1_000_003) / 7
  const limit = `C${String(CHANGED * 7 + 1_000_003).padStart(9, '0')}`
  const upsert = jobs.map(source, sheet, { importMode: 'upsert', keyFields: ['customer_id'] })
  const restore = async () => {
    await runJob(
      client(),
      jobs.mutate(sheet, `(record) => { if (record.get('customer_id') < '${limit}') record.set('city', 'changed') }`),
    )
    const last = `C${String((ROWS - REMOVED) * 7 + 1_000_003).padStart(9, '0')}`
    await runJob(client(), jobs.remove(sheet, `customer_id gte ${last}`))
  }
  for (let attempt = 0; ; attempt++) {
    if (attempt === RESTARTS) throw new Error('The upsert ended before it could be killed')
    await restore()
    const jobId = await startJob(client(), upsert)
    while ((await client().get(`/jobs/${jobId}`)).status === 'ready') await sleep(20)
    await platform.kill()
    const killedAt = new Date().toISOString()
    platform = await start()
    const job = await waitForJob(client(), jobId)
    expect(job.result.counts).toMatchObject({
      ...{ created: REMOVED, updated: CHANGED, unchanged: ROWS - REMOVED - CHANGED, deleted: 0 },
      skipped: { emptyKey: 0, noRecord: 0 },
    })
    let count = 0
    for await (const row of readSheetRows(platform.local, sheet)) {
      expect(getIndex(row)).toBe(count++)
      expect(row.city).not.toBe('changed')
    }
    expect(count).toBe(ROWS)
    if (job.finishedAt < killedAt) continue
    const undone = await fetch(`${platform.local.baseUrl}/v1/jobs/${jobId}/import`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${platform.local.environments[0]!.secretKey}` },
    })
    expect(await undone.json()).toMatchObject({ data: { created: 0, updated: CHANGED, deleted: REMOVED } })
    const { counts } = await client().get(`/sheets/${sheet.sheetId}/counts`)
    expect(counts.total).toBe(ROWS - REMOVED)
    return
  }
}, 600_000)
