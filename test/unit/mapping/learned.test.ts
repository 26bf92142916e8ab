/** With several accepted mappings for a source name, the nearest scope wins, then the latest. */
import { describe, expect, it } from 'vitest'
import { createLookup, learn } from '../../../lib/mapping/learned.ts'
import { scorePairs, suggest } from '../../../lib/mapping/suggest.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

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

  it('wins over another column with the options of the field', () => {
    const options = ['Under 16', 'Under 18', 'Senior'].map((value) => ({ value }))
    const columns = ['Kunde', 'Group'].map((key) => Field.parse({ key, type: 'string' }))
    const field = Field.parse({ key: 'customer', label: 'Customer group', type: 'enum', config: { options } })
    const samples = new Map([
      ['Kunde', ['1.º', '4.º', '2.º', '1.º']],
      ['Group', ['Senior', 'Under 16', 'Senior', 'Under 18']],
    ])
    const accepted = [{ environmentId: 'here', ...createAccepted('customer', '2026-01-01') }]
    const lookup = createLookup(accepted, { environmentId: 'here' })
    const [[learned]] = scorePairs(columns, [field], { samples, lookup }) as [[number]]
    expect(learned).toBe(0.98)
    expect(suggest(columns, [field], { samples, lookup })[0]!.sourceField.key).toBe('Kunde')
  })
})
