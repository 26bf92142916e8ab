/** How the time of a run is attributed, on a clock that the tests move. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { measure, measureEach, Stopwatch, withStopwatch } from '../../../lib/core/stopwatch.ts'

let now = 0
beforeEach(() => {
  now = 1000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const spend = async (milliseconds: number): Promise<void> => {
  now += milliseconds
}

const measureRun = async (work: () => Promise<unknown>) => {
  const stopwatch = new Stopwatch()
  await withStopwatch(stopwatch, work)
  return stopwatch.read()
}

const NONE = { reading: 0, computing: 0, writing: 0, events: 0 }

describe('a stopwatch', () => {
  it('counts what is awaited as its activity, and everything else as computing', async () => {
    const run = async () => {
      await spend(1)
      await measure('reading', () => spend(10))
      await spend(100)
      await measure('writing', () => spend(1000))
    }
    expect(await measureRun(run)).toEqual({ reading: 10, computing: 101, writing: 1000, events: 0 })
  })
  it('counts time once if several activities overlap, events first', async () => {
    const run = () =>
      measure('events', async () => {
        await measure('reading', () => spend(10))
        await measure('writing', () => spend(20))
      })
    expect(await measureRun(run)).toEqual({ ...NONE, events: 30 })
  })
  it('stops counting an activity that fails', async () => {
    const run = async () => {
      const failing = measure('writing', async () => {
        await spend(5)
        throw new Error('full')
      })
      await expect(failing).rejects.toThrow('full')
      await spend(7)
    }
    expect(await measureRun(run)).toEqual({ ...NONE, writing: 5, computing: 7 })
  })
  it('can be read while the run goes on', async () => {
    const stopwatch = new Stopwatch()
    await stopwatch.measure('reading', async () => {
      await spend(3)
      expect(stopwatch.read()).toEqual({ ...NONE, reading: 3 })
      await spend(4)
    })
    expect(stopwatch.read()).toEqual({ ...NONE, reading: 7 })
  })
})

describe('measureEach', () => {
  async function* yieldSlowly(ended: string[] = []) {
    try {
      for (const item of [1, 2, 3]) {
        await spend(5)
        yield item
      }
    } finally {
      ended.push('source')
    }
  }

  it('yields the same items and counts only the time until each', async () => {
    const items: number[] = []
    const run = async () => {
      for await (const item of measureEach('reading', yieldSlowly())) {
        items.push(item)
        await spend(1)
      }
    }
    expect(await measureRun(run)).toEqual({ ...NONE, reading: 15, computing: 3 })
    expect(items).toEqual([1, 2, 3])
  })
  it('ends its source when its consumer stops early', async () => {
    const ended: string[] = []
    for await (const item of measureEach('reading', yieldSlowly(ended))) if (item === 2) break
    expect(ended).toEqual(['source'])
  })
})

it('outside a run, nothing is measured', async () => {
  expect(await measure('events', async () => 7)).toBe(7)
})
