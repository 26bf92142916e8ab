import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forEachSettled, mapConcurrent } from '../../../lib/core/concurrency.ts'

it('mapConcurrent returns results in input order and respects the concurrency limit', async () => {
  const some = fc.array(fc.nat({ max: 3 }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(some, fc.integer({ min: 1, max: 8 }), async (list, limit) => {
      let underWay = 0
      let most = 0
      const answers = await mapConcurrent(limit, [...list.entries()], async ([at, milliseconds]) => {
        most = Math.max(most, ++underWay)
        await sleep(milliseconds)
        underWay--
        return at
      })
      expect(answers).toEqual(list.map((_, at) => at))
      expect(most).toBe(Math.min(limit, list.length))
    }),
    { numRuns: 50 },
  )
})

it('mapConcurrent starts nothing after a failure, waits for running work, and throws the first error in input order', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const failing = mapConcurrent(3, [0, 1, 2, 3, 4, 5], async (item) => {
    begun.push(item)
    await sleep([30, 10, 20][item] ?? 0)
    ended.push(item)
    if (item < 2) throw new Error(`of ${item}`)
  })
  await expect(failing).rejects.toThrow('of 0')
  expect(begun).toEqual([0, 1, 2])
  expect(ended.toSorted()).toEqual([0, 1, 2])
})

it('mapConcurrent pulls from a generator only when there is capacity', async () => {
  let made = 0
  function* generateNumbers() {
    for (; made < 5; made++) yield made
  }
  const ahead: number[] = []
  await mapConcurrent(2, generateNumbers(), async (number) => {
    ahead.push(made - number)
    await sleep(1)
  })
  expect(Math.max(...ahead)).toBeLessThan(2)
})

it('forEachSettled tries all items and reports each failure', async () => {
  const tried: number[] = []
  const failures = await forEachSettled(2, [0, 1, 2, 3, 4], async (item) => {
    tried.push(item)
    await sleep(5 - item)
    if (item % 2) throw new Error(`of ${item}`)
  })
  expect(tried).toEqual([0, 1, 2, 3, 4])
  expect(failures.map(String).toSorted()).toEqual(['Error: of 1', 'Error: of 3'])
})
