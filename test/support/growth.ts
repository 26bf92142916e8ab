/** Measures how the time of something grows with its input: doubling the input may cost at most 2.3 times as much. */
import { expect } from 'vitest'

/** Above 2, because larger inputs leave the caches; quadratic work takes 4 times as long. */
const MOST = 2.3
/** The smallest input is doubled so many times. */
const DOUBLINGS = 4
/** Milliseconds: less says little. */
const MEASURABLE = 25
/** The quickest counts of this many and of this many milliseconds: other processes disturb the rest. Processor time is counted in too coarse steps. */
const ATTEMPTS = 9
const ATTEMPTING_MS = 5000

async function timeOf(run: () => unknown, times: number): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < times; i++) await run()
  return performance.now() - start
}

/**
 * Fails when `run` takes more than in proportion to the size of its input. A large input and one of a 16th are read as often as
 * makes the same number of bytes: both take as long where time is linear.
 * @param inputOf makes the input of a size, outside of what is measured
 * @param sizes the larger input is at least of the first and at most of the second size; a smaller one is taken where it takes long enough
 */
export async function expectLinear<T>(
  inputOf: (size: number) => T,
  run: (input: T) => unknown,
  { from, most }: { from: number; most: number },
): Promise<void> {
  let size = from
  while (size * 2 <= most && (await timeOf(() => run(inputOf(size)), 1)) < MEASURABLE) size *= 2
  const factor = 2 ** DOUBLINGS
  const [small, large] = [inputOf(Math.ceil(size / factor)), inputOf(size)]
  const times = Math.max(1, Math.ceil(MEASURABLE / Math.max(0.3, await timeOf(() => run(large), 1))))
  const limit = (MOST / 2) ** DOUBLINGS
  let [smallTime, largeTime] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const start = performance.now()
  for (let attempt = 0; attempt < ATTEMPTS || performance.now() - start < ATTEMPTING_MS; attempt++) {
    smallTime = Math.min(smallTime, await timeOf(() => run(small), times * factor))
    largeTime = Math.min(largeTime, await timeOf(() => run(large), times))
    // Under a millisecond nothing can be said, and nobody need mind.
    if (largeTime <= Math.max(1, smallTime) * limit) return
  }
  const perByte = (largeTime / smallTime).toFixed(1)
  expect.fail(
    `Doubling the input costs more than ${MOST} times the time: at ${size} it takes ${perByte} times as long for each part of it as at a 16th.`,
  )
}
