/** Large files take flat memory, also after a kill -9. `TEST_RUNS` above 1: 2 GB of CSV and a million XLSX rows. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RowFormat } from '../../lib/records/index.ts'
import { type BundledScript, bundleScript } from '../support/bundle-agent.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { runWithKill } from '../support/killed-process.ts'
import { createLargeCsv, createLargeWorkbook, type LargeFile } from '../support/large-files.ts'
import { IS_LONG_RUN } from '../support/runs.ts'

const MEGABYTES = IS_LONG_RUN ? 2048 : 50
const ROWS = IS_LONG_RUN ? 1_000_000 : 40_000
const MEMORY = 256
const RECORD_OBJECT = { megabytes: 8, rows: 70_000 }
const HOURS = 3_600_000

let spaceId: string
let extracting: BundledScript

beforeAll(async () => {
  await createFreshAccount()
  const space = { name: 'Large', settings: { extraction: 'listener' } }
  spaceId = (await must('POST', '/spaces', space)).id
  extracting = await bundleScript(fileURLToPath(new URL('../support/extract-process.ts', import.meta.url)))
})
afterAll(() => extracting.remove())

async function stored(name: string, { bytes }: LargeFile): Promise<{ fileId: string; size: number }> {
  const { begin } = await import('../../lib/tx.ts')
  const { newId } = await import('../../lib/core/ids.ts')
  const { Spaces } = await import('../../lib/entities/spaces.ts')
  const { prepareExportFile } = await import('../../lib/files/upload.ts')
  const { putStream } = await import('../../lib/objects/store.ts')
  const tx = begin({ accountId: account.accountId, actorId: account.userId })
  const file = prepareExportFile(tx, (await Spaces.get(spaceId))!, { id: newId('file'), name })
  const size = await putStream(file.objectKey, bytes())
  const { id } = file.store(size)
  await tx.commit()
  return { fileId: id, size }
}

async function assertRows(sheetId: string, file: LargeFile): Promise<void> {
  const { Sheets } = await import('../../lib/entities/sheets.ts')
  const { toSheetRef } = await import('../../lib/commits/sheet-ref.ts')
  const { createStore, streamRows, writeString } = await import('../../lib/records/index.ts')
  const sheet = (await Sheets.get(sheetId))!
  expect(sheet.config.fields.map(({ key }) => key)).toEqual(file.header)
  let row = 0
  const writeRow: RowFormat['writeRow'] = (out, cells) => {
    const texts = cells.map(({ bytes, from, to }) => (from === to ? 'null' : bytes.toString('utf8', from, to)))
    writeString(out, `[${texts.join(',')}]\n`)
  }
  for await (const bytes of streamRows(toSheetRef(sheet), {}, { writeRow }, {}, createStore()))
    for (const line of bytes.toString('utf8').split('\n').slice(0, -1)) {
      const meant = file.json(row++)
      if (line !== meant) expect(line, `row ${row}`).toBe(meant)
    }
  expect(row).toBe(file.rows)
}

it.each<[string, () => LargeFile, number]>([
  [`${MEGABYTES} MB.csv`, () => createLargeCsv(MEGABYTES), MEGABYTES / RECORD_OBJECT.megabytes],
  [`${ROWS} rows.xlsx`, () => createLargeWorkbook(ROWS), ROWS / RECORD_OBJECT.rows],
])(
  '%s, killed halfway, is extracted in flat memory, every row once',
  async (name, make, objects) => {
    const { newId } = await import('../../lib/core/ids.ts')
    const file = make()
    const { fileId, size } = await stored(name, file)
    const args = [account.accountId, account.userId, fileId, newId('job')]
    const half = Math.max(1, Math.floor(objects / 2))
    let puts = 0
    const isHalf = (method: string | undefined, path = '') =>
      method === 'PUT' && path !== '/' && ++puts === half ? 'after' : undefined
    const first = await runWithKill(extracting.script, args, ({ method, url }) => isHalf(method, url))
    expect(first.killed).toBe(true)
    expect(await must('GET', `/files/${fileId}`)).toMatchObject({ status: 'analyzing' })
    const start = performance.now()
    const { output } = await runWithKill(extracting.script, args, () => undefined)
    const seconds = (performance.now() - start) / 1000
    const { rows, sheetIds, peak } = JSON.parse(output)
    expect(rows).toBe(file.rows)
    await assertRows(sheetIds[0], file)
    console.log(
      `${name}: ${(size / 2 ** 20).toFixed(0)} MB, ${rows} rows, killed at object ${half}, then whole in ${seconds.toFixed(0)} s, ${peak.toFixed(0)} MB of memory`,
    )
    expect(peak).toBeLessThanOrEqual(MEMORY)
    expect(await must('GET', `/files/${fileId}`)).toMatchObject({ status: 'complete' })
    await call('DELETE', `/files/${fileId}`)
  },
  Math.max(300_000, 2 * HOURS * Math.max(MEGABYTES / 2048, ROWS / 1e6)),
)
