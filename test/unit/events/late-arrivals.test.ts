/** Marks of late events: no reader moves past an event that is still being written. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/core/ids.ts'
import { startRecordSuite } from '../../support/record-suite.ts'

const { cloud } = await startRecordSuite()
const late = await import('../../../lib/events/late.ts')

const createLateEvent = (environmentId: string) => ({
  id: newId('event', Date.now() - 3_600_000),
  context: { accountId: 'us_acc_1', environmentId },
})
const delayWrites = (milliseconds: number) => {
  cloud.intercept.beforeRequest = async (operation) => {
    if (operation === 'PutItem') await sleep(milliseconds)
  }
}

describe('mark of a late event', () => {
  it('is not read above a position from a machine with a fast clock', async () => {
    const now = Date.now()
    for (const ahead of [0, 50])
      expect(await late.readLateMarks('us_env_ahead', late.getStableMark(now + ahead), now)).toEqual([])
  })

  it('written within 1.5 s is found by concurrent readers', async () => {
    const event = createLateEvent('us_env_slow')
    delayWrites(1500)
    const written = late.markIfLate(event)
    await sleep(1300)
    const position = late.getStableMark()
    expect(await written).toBe(true)
    cloud.intercept.beforeRequest = undefined
    const marks = await late.readLateMarks('us_env_slow', position, Date.now() + late.STABLE_AFTER_MS)
    expect(marks.map(({ eventId }) => eventId)).toEqual([event.id])
  })

  it('written more slowly is rejected for a retry', async () => {
    delayWrites(late.STABLE_AFTER_MS + 100)
    await expect(late.markIfLate(createLateEvent('us_env_slower'))).rejects.toThrow('took too long')
  })
})
