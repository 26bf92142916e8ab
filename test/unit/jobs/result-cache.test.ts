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
  idRanges: '[["r",1,1]]',
  columns: [['a', '["x"]']],
  milliseconds: 60_000,
}

const FIRST_RESULT = { changes: 'of the first run', read: ['a'] }
const SECOND_RESULT = { changes: 'of the second run', read: [] }

it('cached call results are reused by the next run for the same program, records and values only', async () => {
  const first = await KeptAnswers.load('us_jb_kept')
  const slowCall = async () => {
    await sleep(1_100)
    return FIRST_RESULT
  }
  await first.getOrEvaluate(CALL, slowCall)
  expect(first.addedCount).toBe(1)

  const next = await KeptAnswers.load('us_jb_kept')
  const getResult = (call: MutationCall) => next.getOrEvaluate(call, async () => SECOND_RESULT)
  expect(await getResult(CALL)).toEqual(FIRST_RESULT)
  const others = [
    { program: '(record) => record.set("a", 2)' },
    { idRanges: '[["r",2,1]]' },
    { columns: [['a', '["y"]']] as const },
    { columns: [['b', '["x"]']] as const },
    { columns: [['a', null]] as const },
  ]
  for (const other of others) expect(await getResult({ ...CALL, ...other })).toEqual(SECOND_RESULT)
  expect((await KeptAnswers.load('us_jb_other')).addedCount).toBe(0)

  await next.clear()
  const last = await KeptAnswers.load('us_jb_kept')
  expect(await last.getOrEvaluate(CALL, async () => SECOND_RESULT)).toEqual(SECOND_RESULT)
})
