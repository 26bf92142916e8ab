/** The model of quotas: what is not scarce takes its time, what is takes as long as its quota needs, and is named. */
import { describe, expect, it } from 'vitest'
import { simulate } from '../../cost/model.ts'
import { QUOTAS } from '../../cost/quotas.ts'

describe('works at once', () => {
  it('take as long as one where nothing is scarce', () => {
    const { seconds, held } = simulate(10, { seconds: 5, needs: { puts: 10, lambda: 1 } })
    expect(seconds).toBeCloseTo(5, 0)
    expect(held).toEqual([])
  })

  it('take as long as the scarce quota needs for all of them, and it is named with what was wanted', () => {
    const { seconds, held } = simulate(1_000, { seconds: 1, needs: { puts: 100, gets: 1 } })
    expect(seconds).toBeCloseTo((1_000 * 100) / QUOTAS.puts.limit, 0)
    expect(held[0]).toMatchObject({ resource: 'puts', from: 0, wanted: 100_000 })
  })

  it('wait for runs of functions when there are more than may be at the same time', () => {
    const { seconds, held } = simulate(3_000, { seconds: 10, needs: { lambda: 1 } })
    expect(seconds).toBeCloseTo(30, 0)
    expect(held.map(({ resource }) => resource)).toEqual(['lambda'])
  })
})
