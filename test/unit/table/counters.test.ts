import { expect, it } from 'vitest'
import { startAuthCloud } from '../../support/auth-cloud.ts'

const cloud = await startAuthCloud()
const { addNumberedOnce, addOnce, readCounters } = await import('../../../lib/table/sharded-counters.ts')

it('numbered causes are added once each, in any order, together with other causes of the part', async () => {
  const counter = { name: 'test#numbered', part: '2026-01#env#dev' }
  const numbers = [3, 0, 255, 256, 257, 100_000]
  const add = (number: number, source: string) =>
    addNumberedOnce(counter, { source, number }, { created: 1, updated: number })
  const first = await Promise.all(numbers.flatMap((number) => ['a', 'b'].map((source) => add(number, source))))
  const repeated = await Promise.all(numbers.toReversed().map((number) => add(number, 'a')))
  expect([new Set(first), new Set(repeated)]).toEqual([new Set([true]), new Set([false])])
  await addOnce(counter, 'other', { created: 5 }, Math.floor(Date.now() / 1000) + 60)
  const sum = numbers.reduce((total, number) => total + number, 0)
  expect([...(await readCounters('test#numbered', '2026-01#'))]).toEqual([
    ['2026-01#env#dev', { created: 2 * numbers.length + 5, updated: 2 * sum }],
  ])
})

it('a numbered cause is one request', async () => {
  cloud.reset()
  await addNumberedOnce({ name: 'test#requests', part: 'p' }, { source: 'a', number: 1 }, { created: 1 })
  expect(cloud.requests).toEqual(['UpdateItem'])
})
