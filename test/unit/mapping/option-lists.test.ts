import { describe, expect, it } from 'vitest'
import { OPTION_LISTS } from '../../../bench/mapping/option-lists.ts'
import { LATER_OPTION_LISTS } from '../../../bench/mapping/option-lists-later.ts'
import { UNSEEN_OPTION_LISTS } from '../../../bench/mapping/option-lists-unseen.ts'
import { isFound, isWrong, measureOptions } from '../../../bench/options.ts'

const LISTS = [...OPTION_LISTS, ...UNSEEN_OPTION_LISTS, ...LATER_OPTION_LISTS]

describe('options of ordinary lists', () => {
  const outcomes = measureOptions(LISTS)
  const wrong = outcomes
    .filter(isWrong)
    .map(({ list, value, suggested }) => `${list}: ${value} as ${suggested!.option}`)

  it('are labelled with options of their lists', () => {
    for (const { label, options, same, other } of LISTS)
      for (const pair of `${same} | ${other}`.split(' | ')) {
        const [value, meant] = pair.split(' > ')
        expect(value, label).not.toBe('')
        if (meant !== undefined) expect(options.split(' | '), `${label}: ${pair}`).toContain(meant)
      }
  })

  it('are refused by a person in at most 10 of 1,000 cases', () => {
    expect(wrong.length / outcomes.length, wrong.join('\n')).toBeLessThanOrEqual(0.01)
  })

  it('are found for nearly nine of ten values that mean one', () => {
    const due = outcomes.filter(({ mustBeFound }) => mustBeFound)
    expect(due.filter(isFound).length / due.length).toBeGreaterThanOrEqual(0.88)
  })

  it.each([
    ['Fireworks', 'Fire', 'Incident type'],
    ['Drainpipe', 'Drains', 'Part of the building'],
    ['homework', 'Home', 'Address type'],
    ['Off', 'Cancelled', 'Status'],
    ['EC-Karte', 'Credit card', 'Payment method'],
    ['Tent', 'Tentative', 'Reply'],
  ])('do not take %s for %s', (value, option, label) => {
    const one = outcomes.find((outcome) => outcome.value === value && outcome.list === label)
    expect(one).toMatchObject({ value })
    expect(one!.suggested?.option).not.toBe(option)
  })
})
