import { beforeAll, expect, it } from 'vitest'
import { runJob } from '../support/activity.ts'
import { createFreshSpace, must } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

beforeAll(() => createFreshSpace())

it('an endless loop is stopped, and the job names its record', async () => {
  const { workbookId, sheetId } = await createSheet([{ key: 'age', type: 'number' }])
  const { records } = await must('POST', `/sheets/${sheetId}/records`, [{ age: 36 }, { age: 85 }])
  const mutateRecord = "(record) => { while (record.get('age') === 85); return record }"
  const config = { sheetId, mutateRecord }
  const job = await runJob({ type: 'workbook', operation: 'mutate-records', source: workbookId, config })
  expect([job.status, job.info]).toEqual([
    'failed',
    `The function was stopped at record ${records[1].id}: it did not finish within 10 seconds.`,
  ])
}, 60_000)
