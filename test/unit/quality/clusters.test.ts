import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClusterMethod } from '../../../schemas/quality/shape.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, insert } = await startRecordSuite()
const { listClusters } = await import('../../../lib/quality/clusters.ts')
const { foldText, KEYS } = await import('../../../lib/quality/keys.ts')
const { areNear, groupNearTexts, TooManyComparisonsError } = await import('../../../lib/quality/near-texts.ts')

const words = fc.constantFrom(
  'Ada',
  'ada',
  'Lovelace',
  'Lovelase',
  'lovelàce',
  'Müller',
  'Muller',
  'Mueller',
  '12',
  '13',
  'GmbH.',
  "O'Brien",
  'OBrien',
)
const texts = fc.array(words, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '))
const near = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1'), minLength: 1, maxLength: 16 }), {
  maxLength: 40,
})

function groupNaively(values: readonly string[], isSame: (a: string, b: string) => boolean): string[][] {
  const groups: string[][] = []
  for (const value of values) {
    const linked = groups.filter((group) => group.some((other) => isSame(other, value)))
    for (const group of linked) groups.splice(groups.indexOf(group), 1)
    groups.push([...linked.flat(), value])
  }
  return groups
}
const normalize = (groups: readonly (readonly string[])[]): string[] =>
  groups
    .filter((group) => group.length > 1)
    .map((group) => JSON.stringify([...group].sort()))
    .sort()

function isSameBy(method: ClusterMethod, radius: number): (a: string, b: string) => boolean {
  if (method === 'distance') return (a, b) => foldText(a) === foldText(b) || areNear(foldText(a), foldText(b), radius)
  return (a, b) => KEYS[method].toKey(a) === KEYS[method].toKey(b) && KEYS[method].toKey(a) !== ''
}

describe('a key', () => {
  it.each([
    ['fingerprint', ['Ada Lovelace', 'lovelace,  ADA', 'Lovelàce Ada.', 'Ada-Lovelace Ada'], 'Ada Lovelac'],
    ['ngram', ['Ada Lovelace', 'AdaLovelace', 'ada love lace'], 'Ada Lovelase'],
    ['phonetic', ['Catherine Meyer', 'Kathryn Maier', 'MEIER, Katherine'], 'Caroline Meyer'],
  ] as const)('%s is equal for spellings of a value', (method, same, other) => {
    expect(new Set(same.map(KEYS[method].toKey)).size).toBe(1)
    expect(KEYS[method].toKey(other)).not.toBe(KEYS[method].toKey(same[0]))
  })
  it.each(['fingerprint', 'ngram', 'phonetic'] as const)('%s is empty without letters and digits', (method) => {
    expect(KEYS[method].toKey(' ...-- ')).toBe('')
    expect(KEYS[method].toKey('Level 1')).not.toBe(KEYS[method].toKey('Level 2'))
  })
})

describe('the hash of a key', () => {
  it.each(['fingerprint', 'ngram', 'phonetic'] as const)(
    '%s is the same for the bytes of a text and for its key',
    (method) => {
      const { toKey, hashKey, hashBytes } = KEYS[method]
      const piece = fc.constantFrom(
        'ada',
        'Ada',
        'Kathryn',
        'LOVE',
        'x',
        '1',
        ' ',
        '  ',
        '-',
        '_',
        "'",
        '.',
        '@',
        '$',
        '|',
        '~',
        '"',
      )
      const text = fc.oneof(
        fc.string({ unit: 'grapheme-ascii' }),
        fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      )
      fc.assert(
        fc.property(text, (one) => {
          const bytes = Buffer.from(`,${one},`)
          expect(hashBytes!(bytes, 1, bytes.length - 1)).toBe(hashKey(toKey(one)))
        }),
      )
    },
  )
})

describe('near texts', () => {
  it('are linked like a comparison of all pairs links them', () => {
    fc.assert(
      fc.property(near, fc.integer({ min: 1, max: 3 }), (list, radius) => {
        const distinct = [...new Set(list)]
        const roots = groupNearTexts(distinct, radius, 1_000_000)
        const groups = groupBy(distinct, roots)
        const found = [...groups.values()].map((group) => group.map((at) => distinct[at]!))
        expect(normalize(found)).toEqual(normalize(groupNaively(distinct, (a, b) => areNear(a, b, radius))))
        for (const [root, group] of groups) expect(Math.min(...group)).toBe(root)
      }),
      { numRuns: 300 },
    )
  })
  it('have equal digits, and an edit for at most every fourth character', () => {
    expect(areNear('invoice 12', 'invoice 13', 3)).toBe(false)
    expect(areNear('abc', 'abd', 3)).toBe(false)
    expect(areNear('abcd', 'abce', 3)).toBe(true)
    expect(areNear('abcdefgh', 'abcdefxy', 1)).toBe(false)
  })
  it('are not compared beyond the limit', () => {
    const list = Array.from({ length: 20 }, (_, i) => `${'x'.repeat(8)}${String.fromCharCode(97 + i).repeat(8)}`)
    expect(() => groupNearTexts(list, 3, 5)).toThrow(TooManyComparisonsError)
  })
})

function groupBy(list: readonly string[], roots: Uint32Array): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (const at of list.keys()) groups.set(roots[at]!, [...(groups.get(roots[at]!) ?? []), at])
  return groups
}

describe('clusters of a sheet', () => {
  it('have the values and counts of a naive grouping, and suggest the most frequent value', async () => {
    const methods = fc.constantFrom<ClusterMethod>('fingerprint', 'ngram', 'phonetic', 'distance')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(texts), { minLength: 1, maxLength: 60 }), methods, async (column, method) => {
        const ref = { sheetId: newSheetId(), fields: [{ key: 'a', type: 'string' }] }
        await insert(
          ref,
          column.map((value) => ({ values: { a: { value } } })),
          engine.createStore({ segmentRows: 16 }),
        )
        const counts = new Map<string, number>()
        for (const value of column) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
        const clusters = await listClusters(ref, 'a', { method, radius: 2 }, {})
        expect(normalize(clusters.map(({ values }) => values.map(({ value }) => value)))).toEqual(
          normalize(groupNaively([...counts.keys()], isSameBy(method, 2))),
        )
        for (const { values, count, size, suggestion, fix } of clusters) {
          for (const one of values) expect(one.count).toBe(counts.get(one.value))
          expect(count).toBe(values.reduce((sum, one) => sum + one.count, 0))
          expect(size).toBe(values.length)
          expect(counts.get(suggestion)).toBe(Math.max(...values.map((one) => one.count)))
          expect(fix.replacements.map(({ from }) => from)).toEqual(
            values.map(({ value }) => value).filter((one) => one !== suggestion),
          )
        }
      }),
      { numRuns: 25 },
    )
  })

  it('suggest a valid option, also if another spelling is more frequent', async () => {
    const ref = { sheetId: newSheetId(), fields: [{ key: 'a', type: 'enum', config: { options: [{ value: 'Red' }] } }] }
    await insert(
      ref,
      ['RED', 'RED', 'Red'].map((value) => ({ values: { a: { value } } })),
    )
    const [cluster] = await listClusters(ref, 'a', { method: 'fingerprint', radius: 1 }, {})
    expect(cluster).toMatchObject({ suggestion: 'Red', count: 3, fix: { replacements: [{ from: 'RED', to: 'Red' }] } })
  })
})
