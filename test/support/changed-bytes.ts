import { expect } from 'vitest'
import { readWithoutKeeping } from './read-tables.ts'

const ROUNDS = 60
const CHANGES_PER_ROUND = 3

/** Reads a file again and again with a few bytes changed, between `first` and `end`. Counts the refusals, which have a reason. */
export async function countRefusedChanges(
  name: string,
  bytes: Buffer,
  first: number,
  end = bytes.length,
): Promise<number> {
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  let refused = 0
  for (let round = 0; round < ROUNDS; round++) {
    const changed = Buffer.from(bytes)
    for (let change = 0; change < CHANGES_PER_ROUND; change++) changed[first + random(end - first)] = random(256)
    await readWithoutKeeping(name, changed).catch((error: unknown) => {
      refused++
      expect(error).toMatchObject({ code: 'unprocessable' })
    })
  }
  return refused
}
