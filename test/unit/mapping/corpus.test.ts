/** Mapping quality over the labelled corpus, compared with a fuzzy search and edit distance. */
import { describe, expect, it } from 'vitest'
import { CORPUS } from '../../../bench/mapping/corpus.ts'
import { HELD_OUT } from '../../../bench/mapping/held-out.ts'
import { HEADER_LANGUAGES, IN_LANGUAGES } from '../../../bench/mapping/languages.ts'
import { COLLECTED_LATER } from '../../../bench/mapping/languages-later.ts'
import {
  ACCEPTED_CONFIDENCE,
  createCases,
  matchByEditDistance,
  matchByEngine,
  matchByFuse,
  score,
  scoreAtBestThreshold,
} from '../../../bench/mapping/score.ts'

function expectFindable({ name, columns, fields, truth }: ReturnType<typeof createCases>[number]): void {
  const keys = fields.map(({ key }) => key)
  expect(columns.length, name).toBe(new Set(columns).size)
  expect([...truth.values()].length, name).toBe(new Set(truth.values()).size)
  for (const field of truth.values()) expect(keys, name).toContain(field)
}

describe('headers in eight languages', () => {
  it('are labelled so that every pair can be found', () => {
    const cases = [...IN_LANGUAGES, ...COLLECTED_LATER].map((one) => createCases(one)[0]!)
    cases.forEach(expectFindable)
    expect(cases.reduce((sum, { truth }) => sum + truth.size, 0)).toBeGreaterThanOrEqual(300)
    expect(new Set(IN_LANGUAGES.map(({ language }) => language)).size).toBe(HEADER_LANGUAGES.length)
  })
})

describe.each([
  ['the files the engine was made with', CORPUS],
  ['the files held out', HELD_OUT],
])('%s', (_name, sets) => {
  const cases = sets.flatMap(createCases)
  const own = score(cases, matchByEngine)
  const because = [...own.wrong, ...own.missed].join('\n')

  it('are labelled so that every pair can be found', () => {
    cases.forEach(expectFindable)
    expect(sets.length).toBeGreaterThanOrEqual(12)
    expect(own.pairs).toBeGreaterThan(400)
  })

  it('find nine of ten fields with at most one of twenty wrong', () => {
    expect(own.recall, because).toBeGreaterThanOrEqual(0.9)
    expect(own.precision, because).toBeGreaterThanOrEqual(0.95)
  })

  it('are correct in strong suggestions, which are most', () => {
    const accepted = score(cases, matchByEngine, ACCEPTED_CONFIDENCE)
    expect(accepted.precision, accepted.wrong.join('\n')).toBeGreaterThanOrEqual(0.98)
    expect(accepted.recall).toBeGreaterThanOrEqual(0.65)
  })

  it.each([
    ['a fuzzy search', matchByFuse],
    ['edit distance', matchByEditDistance],
  ])('score better than %s at its best', (_of, matcher) => {
    const other = scoreAtBestThreshold(cases, matcher)
    expect(own.recall - other.recall).toBeGreaterThan(0.2)
    expect(own.precision - other.precision).toBeGreaterThan(0.2)
  })
})
