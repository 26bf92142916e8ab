/** Answers of a mutation's slow calls, which a later run of the job takes instead of asking again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '../../../lib/jobs/mutation/call.ts'
import { type RecordCloud, recordCloud } from '../../support/records.ts'

let cloud: RecordCloud
let KeptAnswers: typeof import('../../../lib/jobs/mutation/kept.ts').KeptAnswers

beforeAll(async () => {
  cloud = await recordCloud()
  ;({ KeptAnswers } = await import('../../../lib/jobs/mutation/kept.ts'))
})
afterAll(() => cloud.close())

const CALL: Call = {
  program: '(record) => record.set("a", 1)',
  filename: 'mutateRecord.js',
  ids: '["r1"]',
  columns: [['a', '["x"]']],
  milliseconds: 60_000,
}

it('are taken by the next run for the same program, records and values, and for nothing else', async () => {
  const first = await KeptAnswers.of('us_jb_kept')
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    return { changes: 'of the first run' }
  }
  await first.answerTo(CALL, slowly)
  expect(first.added).toBe(1)

  const next = await KeptAnswers.of('us_jb_kept')
  const answerTo = (call: Call) => next.answerTo(call, async () => ({ changes: 'asked again' }))
  expect(await answerTo(CALL)).toEqual({ changes: 'of the first run' })
  const others = [
    { program: '(record) => record.set("a", 2)' },
    { ids: '["r2"]' },
    { columns: [['a', '["y"]']] as const },
  ]
  for (const other of others) expect(await answerTo({ ...CALL, ...other })).toEqual({ changes: 'asked again' })
  expect((await KeptAnswers.of('us_jb_other')).added).toBe(0)

  await next.forget()
  const last = await KeptAnswers.of('us_jb_kept')
  expect(await last.answerTo(CALL, async () => ({ changes: 'asked again' }))).toEqual({ changes: 'asked again' })
})
