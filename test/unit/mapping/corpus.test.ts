/** Columns of real exports find their fields: over the labelled corpus, beside a fuzzy search and edit distance. */
import { describe, expect, it } from 'vitest'
import { CORPUS } from '../../bench/mapping/corpus.ts'
import { HELD_OUT } from '../../bench/mapping/held-out.ts'
import { ACCEPTED, atItsBest, casesOf, edits, fuse, ours, score } from '../../bench/mapping/score.ts'

describe.each([
  ['the files the engine was made with', CORPUS],
  ['the files held out', HELD_OUT],
])('%s', (_name, sets) => {
  const cases = sets.flatMap(casesOf)
  const own = score(cases, ours)
  const because = [...own.wrong, ...own.missed].join('\n')

  it('are labelled so that every pair can be found', () => {
    for (const { name, columns, fields, truth } of cases) {
      expect(columns.length, name).toBe(new Set(columns).size)
      expect([...truth.values()].length, name).toBe(new Set(truth.values()).size)
      for (const field of truth.values())
        expect(
          fields.map(({ key }) => key),
          name,
        ).toContain(field)
    }
    expect(sets.length).toBeGreaterThanOrEqual(12)
    expect(own.pairs).toBeGreaterThan(400)
  })

  it('find nine fields in ten, and are wrong in one of twenty', () => {
    expect(own.recall, because).toBeGreaterThanOrEqual(0.9)
    expect(own.precision, because).toBeGreaterThanOrEqual(0.95)
  })

  it('are right in what clients are told is strong, which is most', () => {
    const accepted = score(cases, ours, ACCEPTED)
    expect(accepted.precision, accepted.wrong.join('\n')).toBeGreaterThanOrEqual(0.98)
    expect(accepted.recall).toBeGreaterThanOrEqual(0.65)
  })

  it.each([
    ['a fuzzy search', fuse],
    ['edit distance', edits],
  ])('do better than with %s at its best', (_of, matcher) => {
    const other = atItsBest(cases, matcher)
    expect(own.recall - other.recall).toBeGreaterThan(0.2)
    expect(own.precision - other.precision).toBeGreaterThan(0.2)
  })
})
