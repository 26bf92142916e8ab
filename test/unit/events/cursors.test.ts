import { expect, it } from 'vitest'
import { newId } from '../../../lib/core/ids.ts'
import { advanceCursor, createCursor, isIdle, OVERLAP_MS, settleCursor } from '../../../lib/events/cursors.ts'

it('a cursor is idle when nothing was seen for twice its look-back, and then looks back no longer', () => {
  const at = Date.now() - 10 * OVERLAP_MS
  const ids = [newId('event', at - 2_000), newId('event', at - 1_000)]
  const cursor = advanceCursor(createCursor(at), ids)
  expect([isIdle(cursor, at + OVERLAP_MS), isIdle(cursor, at + 3 * OVERLAP_MS)]).toEqual([false, true])
  const settled = settleCursor(cursor)
  expect(settled).toMatchObject({ from: ids[1], at: cursor.at, late: cursor.late })
  expect(settled.seenIds.size).toBe(0)
  const later = newId('event', at + 4 * OVERLAP_MS)
  expect([...advanceCursor(settled, [later]).seenIds]).toEqual([later])
})
