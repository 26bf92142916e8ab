/** The quota model: work takes its own time unless a quota limits it, and the limiting quota is reported. */
import { describe, expect, it } from 'vitest'
import { simulate } from '../../../bench/cost/model.ts'
import { QUOTAS } from '../../../bench/cost/quotas.ts'

describe('concurrent work', () => {
  it('takes as long as one item when nothing is scarce', () => {
    const { seconds, throttled } = simulate(10, { seconds: 5, needs: { puts: 10, lambda: 1 } })
    expect(seconds).toBeCloseTo(5, 0)
    expect(throttled).toEqual([])
  })

  it('takes as long as the scarce quota requires, and reports the quota and the demand', () => {
    const { seconds, throttled } = simulate(1_000, { seconds: 1, needs: { puts: 100, gets: 1 } })
    expect(seconds).toBeCloseTo((1_000 * 100) / QUOTAS.puts.limit, 0)
    expect(throttled[0]).toMatchObject({ resource: 'puts', from: 0, wanted: 100_000 })
  })

  it('waits for function runs above the concurrency limit', () => {
    const { seconds, throttled } = simulate(3_000, { seconds: 10, needs: { lambda: 1 } })
    expect(seconds).toBeCloseTo(30, 0)
    expect(throttled.map(({ resource }) => resource)).toEqual(['lambda'])
  })
})
