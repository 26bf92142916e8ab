import { describe, expect, it } from 'vitest'
import { hashTexts, toHex } from '../../../lib/records/columns/hash.ts'
import type { LoadedEntry } from '../../../lib/records/format/entries.ts'
import { buildReadSet, isUntouched } from '../../../lib/records/log/read-set.ts'

const hashOf = (text: string): string => {
  const { hi, lo } = hashTexts([text])
  return toHex(hi[0]!, lo[0]!)
}
const readSet = buildReadSet(
  'email',
  { queried: hashTexts(['new']), found: [{ key: 'found', row: 1 }] },
  [{ key: 'changed', row: 2 }],
  [hashTexts(['old'])],
)

interface Write {
  rule?: string
  key?: string
  row?: number
  text?: string
}
const createPatch = ({ rule = 'email', key = 'other', row = 9, text = 'other' }: Write): LoadedEntry =>
  ({
    seq: 1,
    entry: { g: 1, k: 'p' },
    body: { p: [], h: [[rule, key, [row], [hashOf(text)]]] },
  }) as unknown as LoadedEntry

describe('a guarded write', () => {
  it.each<[string, Write]>([
    ['other values of other rows', {}],
    ['its values under another rule', { rule: 'name', text: 'new' }],
    ['another row of the same segment', { key: 'found', row: 2 }],
  ])('stays valid after a concurrent edit of %s', (_, write) => {
    expect(isUntouched([readSet], [createPatch(write)])).toBe(true)
  })

  it.each<[string, Write]>([
    ['to a value it writes', { text: 'new' }],
    ['to a value it replaces', { text: 'old' }],
    ['of a row with such a value', { key: 'found', row: 1 }],
    ['of a row it changes', { key: 'changed', row: 2 }],
  ])('is planned again after a concurrent edit %s', (_, write) => {
    expect(isUntouched([readSet], [createPatch({}), createPatch(write)])).toBe(false)
  })

  it('is planned again after a concurrent import', () => {
    const imported = { seq: 1, entry: { g: 1, k: 'a' }, body: { a: [] } } as unknown as LoadedEntry
    expect(isUntouched([readSet], [imported])).toBe(false)
    const unguarded = { seq: 1, entry: { k: 'a' }, body: { a: [] } } as unknown as LoadedEntry
    expect(isUntouched([readSet], [unguarded])).toBe(true)
  })
})
