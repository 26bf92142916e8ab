import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inFlight, tryEach } from '../../../lib/core/in-flight.ts'

it('answers in the order of the list, with no more under way than it may, whatever takes how long', async () => {
  const some = fc.array(fc.nat({ max: 3 }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(some, fc.integer({ min: 1, max: 8 }), async (list, limit) => {
      let underWay = 0
      let most = 0
      const answers = await inFlight(limit, [...list.entries()], async ([at, milliseconds]) => {
        most = Math.max(most, ++underWay)
        await setTimeout(milliseconds)
        underWay--
        return at
      })
      expect(answers).toEqual(list.map((_, at) => at))
      expect(most).toBe(Math.min(limit, list.length))
    }),
    { numRuns: 50 },
  )
})

it('begins nothing after a failure, waits for what was begun, and tells of the first in the list', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const failing = inFlight(3, [0, 1, 2, 3, 4, 5], async (item) => {
    begun.push(item)
    await setTimeout([30, 10, 20][item] ?? 0)
    ended.push(item)
    if (item < 2) throw new Error(`of ${item}`)
  })
  await expect(failing).rejects.toThrow('of 0')
  expect(begun).toEqual([0, 1, 2])
  expect(ended.toSorted()).toEqual([0, 1, 2])
})

it('takes what is made as it goes no sooner than there is room for it', async () => {
  let made = 0
  function* numbers() {
    for (; made < 5; made++) yield made
  }
  const ahead: number[] = []
  await inFlight(2, numbers(), async (number) => {
    ahead.push(made - number)
    await setTimeout(1)
  })
  expect(Math.max(...ahead)).toBeLessThan(2)
})

it('tries all of a list, whatever fails, and tells of each failure', async () => {
  const tried: number[] = []
  const failures = await tryEach(2, [0, 1, 2, 3, 4], async (item) => {
    tried.push(item)
    await setTimeout(5 - item)
    if (item % 2) throw new Error(`of ${item}`)
  })
  expect(tried).toEqual([0, 1, 2, 3, 4])
  expect(failures.map(String).toSorted()).toEqual(['Error: of 1', 'Error: of 3'])
})
