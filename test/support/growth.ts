/** Checks that time grows linearly with the input: doubling the input may cost at most 2.6 times as much. */
import { expect } from 'vitest'

/** Above 2, because larger inputs leave the caches; quadratic work takes 4 times as long. */
const MAX_FACTOR = 2.6
const DOUBLINGS = 4
const MIN_MEASURED_MS = 25
const ATTEMPTS = 9
const MAX_ATTEMPT_MS = 5000

async function measureMs(run: () => unknown, times: number): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < times; i++) await run()
  return performance.now() - start
}

export async function expectLinear<T>(
  createInput: (size: number) => T,
  run: (input: T) => unknown,
  { from, most }: { from: number; most: number },
): Promise<void> {
  let size = from
  while (size * 2 <= most && (await measureMs(() => run(createInput(size)), 1)) < MIN_MEASURED_MS) size *= 2
  const factor = 2 ** DOUBLINGS
  const [small, large] = [createInput(Math.ceil(size / factor)), createInput(size)]
  const times = Math.max(1, Math.ceil(MIN_MEASURED_MS / Math.max(0.3, await measureMs(() => run(large), 1))))
  const limit = (MAX_FACTOR / 2) ** DOUBLINGS
  let [smallTime, largeTime] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const start = performance.now()
  for (let attempt = 0; attempt < ATTEMPTS || performance.now() - start < MAX_ATTEMPT_MS; attempt++) {
    smallTime = Math.min(smallTime, await measureMs(() => run(small), times * factor))
    largeTime = Math.min(largeTime, await measureMs(() => run(large), times))
    if (largeTime <= Math.max(1, smallTime) * limit) return
  }
  const perByte = (largeTime / smallTime).toFixed(1)
  expect.fail(
    `Doubling the input costs more than ${MAX_FACTOR} times the time: at ${size}, a byte takes ${perByte} times as long as at a 16th of the size.`,
  )
}
