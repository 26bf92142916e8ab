/** Marks of events that show up late: nobody reads past one that is still being written. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/core/ids.ts'
import { type RecordCloud, recordCloud } from '../../support/records.ts'

let cloud: RecordCloud
let late: typeof import('../../../lib/events/late.ts')

beforeAll(async () => {
  cloud = await recordCloud()
  late = await import('../../../lib/events/late.ts')
})
afterAll(() => cloud.close())

const lateEvent = (environmentId: string) => ({
  id: newId('event', Date.now() - 3_600_000),
  context: { accountId: 'us_acc_1', environmentId },
})
const slowly = (milliseconds: number) => {
  cloud.intercept.before = async (operation) => {
    if (operation === 'PutItem') await new Promise((resolve) => setTimeout(resolve, milliseconds))
  }
}

describe('the mark of a late event', () => {
  it('is not looked for above a position that was made by a machine whose clock is ahead', async () => {
    const now = Date.now()
    for (const ahead of [0, 50])
      expect(await late.lateMarks('us_env_ahead', late.settled(now + ahead), now)).toEqual([])
  })

  it('that takes 1.5 s to be written is found by whoever reads meanwhile and goes on from there', async () => {
    const event = lateEvent('us_env_slow')
    slowly(1500)
    const written = late.markLate(event)
    await new Promise((resolve) => setTimeout(resolve, 1300))
    // A reader goes on from the newest mark that has settled.
    const position = late.settled()
    expect(await written).toBe(true)
    cloud.intercept.before = undefined
    const marks = await late.lateMarks('us_env_slow', position, Date.now() + late.SETTLE_MS)
    expect(marks.map(({ eventId }) => eventId)).toEqual([event.id])
  })

  it('that takes longer is refused, to be tried again', async () => {
    slowly(late.SETTLE_MS + 100)
    await expect(late.markLate(lateEvent('us_env_slower'))).rejects.toThrow('took too long')
    cloud.intercept.before = undefined
  })
})
