/** Cached results of a mutation's slow calls, which a later run of the job reuses. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { MutationCall } from '../../../lib/jobs/mutation/call.ts'
import { startRecordSuite } from '../../support/record-suite.ts'

await startRecordSuite()
const { ResultCache: KeptAnswers } = await import('../../../lib/jobs/mutation/result-cache.ts')

const CALL: MutationCall = {
  program: '(record) => record.set("a", 1)',
  filename: 'mutateRecord.js',
  ids: '["r1"]',
  columns: [['a', '["x"]']],
  milliseconds: 60_000,
}

it('cached call results are reused by the next run for the same program, records and values only', async () => {
  const first = await KeptAnswers.load('us_jb_kept')
  const slowCall = async () => {
    await sleep(1_100)
    return { changes: 'of the first run' }
  }
  await first.getOrEvaluate(CALL, slowCall)
  expect(first.addedCount).toBe(1)

  const next = await KeptAnswers.load('us_jb_kept')
  const getResult = (call: MutationCall) => next.getOrEvaluate(call, async () => ({ changes: 'asked again' }))
  expect(await getResult(CALL)).toEqual({ changes: 'of the first run' })
  const others = [
    { program: '(record) => record.set("a", 2)' },
    { ids: '["r2"]' },
    { columns: [['a', '["y"]']] as const },
  ]
  for (const other of others) expect(await getResult({ ...CALL, ...other })).toEqual({ changes: 'asked again' })
  expect((await KeptAnswers.load('us_jb_other')).addedCount).toBe(0)

  await next.clear()
  const last = await KeptAnswers.load('us_jb_kept')
  expect(await last.getOrEvaluate(CALL, async () => ({ changes: 'asked again' }))).toEqual({ changes: 'asked again' })
})
