import { beforeAll, expect, it } from 'vitest'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { type KillTiming, killAtPoints, type ProcessResult, runWithKill } from '../support/killed-process.ts'
import { IS_LONG_RUN, TIMEOUT_MS } from '../support/runs.ts'
import { uploadFile } from '../support/upload.ts'
import { buildWorkbookByHand } from '../support/xlsx-by-hand.ts'

const ROWS = [12_000, 3, 25_000]

let spaceId: string
let book: Buffer

beforeAll(async () => {
  await createFreshAccount()
  const space = { name: 'Crashes', settings: { extraction: 'listener' } }
  spaceId = (await must('POST', '/spaces', space)).id
  const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`
  const text = (value: string) => `<c t="str"><v>${value}</v></c>`
  book = buildWorkbookByHand({
    sheets: ROWS.map((rows, i) => ({
      name: `Sheet ${i + 1}`,
      data:
        row(1, text('id') + text('value')) +
        Array.from({ length: rows }, (_, at) =>
          row(at + 2, `<c><v>${at}</v></c>${text(Math.sin(at + i).toString(36))}`),
        ).join(''),
    })),
  })
})

async function newExtraction() {
  const { newId } = await import('../../lib/core/ids.ts')
  const fileId = await uploadFile(account, spaceId, 'book.xlsx', book)
  const args = [account.accountId, account.userId, fileId, newId('job')]
  return {
    fileId,
    run: (judge: (number: number) => KillTiming = () => undefined): Promise<ProcessResult> =>
      runWithKill('extract-process.ts', args, (_, number) => judge(number)),
  }
}

async function sheetsOf(fileId: string) {
  const { workbookId, status } = await must('GET', `/files/${fileId}`)
  const { sheets } = await must('GET', `/workbooks/${workbookId}`)
  const totals = sheets.map(async ({ id }: { id: string }) => {
    const { counts, records } = await must(
      'GET',
      `/sheets/${id}/records?pageSize=10000&pageNumber=1&includeLength=true`,
    )
    const ids = new Set(records.map((one: { values: { id: { value: string } } }) => one.values.id.value))
    expect(ids.size).toBe(records.length)
    return counts.total
  })
  return { status, totals: await Promise.all(totals) }
}

const PARTS = IS_LONG_RUN ? [0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95] : [0.15, 0.55, 0.95]
const POINTS = PARTS.map((share) => ({ share, timing: share > 0.5 ? ('after' as const) : ('before' as const) }))

it(
  'an extraction killed at any request leaves nothing partial, and its repetition creates everything once',
  async () => {
    const whole = await newExtraction()
    const { requests, output } = await whole.run()
    expect(JSON.parse(output).rows).toBe(ROWS.reduce((sum, rows) => sum + rows))
    expect(await sheetsOf(whole.fileId)).toEqual({ status: 'complete', totals: ROWS })
    await killAtPoints(POINTS, requests, async ({ at, timing }) => {
      const { fileId, run } = await newExtraction()
      const death = await run((number) => (number === at ? timing : undefined))
      expect(JSON.parse((await run()).output).rows).toBe(ROWS.reduce((sum, rows) => sum + rows))
      expect(await sheetsOf(fileId), `killed at request ${at} of ${requests}`).toEqual({
        status: 'complete',
        totals: ROWS,
      })
      const { data } = (await call('GET', `/events?spaceId=${spaceId}&topic=workbook:created&pageSize=1000`)).body
      const { workbookId } = await must('GET', `/files/${fileId}`)
      const told = data.filter(({ context }: { context: { workbookId: string } }) => context.workbookId === workbookId)
      expect(told).toHaveLength(1)
      return death
    })
  },
  TIMEOUT_MS,
)
