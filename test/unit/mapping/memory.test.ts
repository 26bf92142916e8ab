/** Which of several acceptances of the same source name is recalled: the nearest, then the latest. */
import { describe, expect, it } from 'vitest'
import { recall, remembering } from '../../../lib/mapping/memory.ts'

const EMPTY = { arrows: [], translations: [] }
const accepted = (field: string, at: string, spaceId?: string) =>
  remembering(EMPTY, [{ source: 'Kunde', field, values: [] }], { at, spaceId })

describe('what was accepted', () => {
  it('in this environment counts more than in another one of the account, also when it is older', () => {
    const memories = [
      { environmentId: 'here', ...accepted('customer', '2026-01-01') },
      { environmentId: 'there', ...accepted('company', '2026-06-01') },
    ]
    const found = recall(memories, { environmentId: 'here' })
    expect([found.arrow('Kunde', 'customer'), found.arrow('Kunde', 'company')]).toEqual([0.98, undefined])
    const elsewhere = recall(memories, { environmentId: 'elsewhere' })
    expect([elsewhere.arrow('Kunde', 'customer'), elsewhere.arrow('Kunde', 'company')]).toEqual([undefined, 0.96])
  })

  it('in this space counts more than in its environment', () => {
    const memories = [
      { environmentId: 'here', ...accepted('customer', '2026-01-01', 'space') },
      { environmentId: 'here', ...accepted('company', '2026-06-01') },
    ]
    const found = recall(memories, { environmentId: 'here', spaceId: 'space' })
    expect(found.arrow('Kunde', 'customer')).toBe(0.99)
  })
})
