import { describe, expect, it } from 'vitest'
import { shareRead } from '../../../lib/table/query.ts'

function createCounter() {
  let reads = 0
  const read = async () => ++reads
  return { read, count: () => reads }
}

describe('shareRead', () => {
  it('reads once for all callers in one turn, after the last of them', async () => {
    const { read, count } = createCounter()
    const first = shareRead('a', read)
    await Promise.resolve()
    const second = shareRead('a', read)
    expect(count()).toBe(0)
    expect(await Promise.all([first, second])).toEqual([1, 1])
  })
  it('reads again for later callers, and for other names', async () => {
    const { read } = createCounter()
    expect(await shareRead('a', read)).toBe(1)
    expect(await Promise.all([shareRead('a', read), shareRead('b', read)])).toEqual([2, 3])
  })
  it('fails for all callers of the turn, and not for later ones', async () => {
    const fail = () => Promise.reject(new Error('throttled'))
    const results = await Promise.allSettled([shareRead('a', fail), shareRead('a', fail)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await shareRead('a', async () => 'fine')).toBe('fine')
  })
})
