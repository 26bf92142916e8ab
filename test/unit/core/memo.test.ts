import { expect, it } from 'vitest'
import { memoize } from '../../../lib/core/memo.ts'

it('computes once per object, also when the value is undefined', () => {
  const computed: object[] = []
  const compute = memoize((key: { value?: number }) => {
    computed.push(key)
    return key.value
  })
  const [one, equal, empty] = [{ value: 1 }, { value: 1 }, {}]
  expect([one, one, equal, empty, empty].map(compute)).toEqual([1, 1, 1, undefined, undefined])
  expect(computed).toEqual([one, equal, empty])
})
