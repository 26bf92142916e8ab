/** With several accepted mappings for a source name, the nearest scope wins, then the latest. */
import { describe, expect, it } from 'vitest'
import { createLookup, learn } from '../../../lib/mapping/learned.ts'

const EMPTY = { edges: [], translations: [] }
const createAccepted = (field: string, at: string, spaceId?: string) =>
  learn(EMPTY, [{ source: 'Kunde', field, values: [] }], { at, spaceId })

describe('learned mapping', () => {
  it('from this environment wins over another one of the account, even if it is older', () => {
    const memories = [
      { environmentId: 'here', ...createAccepted('customer', '2026-01-01') },
      { environmentId: 'there', ...createAccepted('company', '2026-06-01') },
    ]
    const found = createLookup(memories, { environmentId: 'here' })
    expect([found.getConfidence('Kunde', 'customer'), found.getConfidence('Kunde', 'company')]).toEqual([
      0.98,
      undefined,
    ])
    const elsewhere = createLookup(memories, { environmentId: 'elsewhere' })
    expect([elsewhere.getConfidence('Kunde', 'customer'), elsewhere.getConfidence('Kunde', 'company')]).toEqual([
      undefined,
      0.96,
    ])
  })

  it('from this space wins over its environment', () => {
    const memories = [
      { environmentId: 'here', ...createAccepted('customer', '2026-01-01', 'space') },
      { environmentId: 'here', ...createAccepted('company', '2026-06-01') },
    ]
    const found = createLookup(memories, { environmentId: 'here', spaceId: 'space' })
    expect(found.getConfidence('Kunde', 'customer')).toBe(0.99)
  })
})
