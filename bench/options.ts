/** `npm run bench -- options [-- --details]`: counts right and wrong suggestions of options by rule. */
import Table from 'cli-table3'
import { suggestValues } from '../lib/mapping/enums.ts'
import { Field } from '../schemas/sheets/fields.ts'
import { HEADER_LISTS } from './mapping/header-lists.ts'
import { LATER_HEADER_LISTS, UNSEEN_HEADER_LISTS } from './mapping/header-lists-later.ts'
import { OPTION_LISTS, type OptionList } from './mapping/option-lists.ts'
import { BROADER_OPTION_LISTS } from './mapping/option-lists-broader.ts'
import { UNSEEN_BROADER_OPTION_LISTS } from './mapping/option-lists-broader-unseen.ts'
import { LATER_OPTION_LISTS } from './mapping/option-lists-later.ts'
import { UNSEEN_OPTION_LISTS } from './mapping/option-lists-unseen.ts'
import { matchByEngine } from './mapping/score.ts'

interface Suggestion {
  option: string
  rule: string
}

export interface Outcome {
  list: string
  value: string
  meant: string | undefined
  mustBeFound: boolean
  suggested: Suggestion | undefined
}

const split = (text: string): string[] => text.split(' | ')

const parsePairs = (text: string) =>
  split(text).map((pair) => {
    const [value, meant] = pair.split(' > ')
    return { value: value!, meant }
  })

function parseList({ label, options, same, other }: OptionList) {
  const field: Field = {
    key: label.toLowerCase().replaceAll(' ', '_'),
    label,
    type: 'enum',
    config: { options: split(options).map((option) => ({ value: option })) },
  }
  return { field, same: parsePairs(same), other: parsePairs(other) }
}

function suggest(values: readonly string[], field: Field): ReadonlyMap<string, Suggestion> {
  const rules = new Map<unknown, string>()
  const details = suggestValues(values, field, undefined, undefined, (value, rule) => rules.set(value, rule))
  return new Map(
    details!.mapping.map(({ sourceValue, destinationValue }) => [
      String(sourceValue),
      { option: String(destinationValue), rule: rules.get(sourceValue) ?? '' },
    ]),
  )
}

function measureList(list: OptionList): Outcome[] {
  const { field, same, other } = parseList(list)
  const column = suggest(
    [...same, ...other].map(({ value }) => value),
    field,
  )
  const toOutcome = (pair: { value: string; meant: string | undefined }, mustBeFound: boolean): Outcome => {
    const alone = suggest([pair.value], field).get(pair.value)
    const suggested = [column.get(pair.value), alone].filter((one) => one !== undefined)
    const wrong = suggested.find(({ option }) => option !== pair.meant)
    return { list: list.label, ...pair, mustBeFound, suggested: wrong ?? column.get(pair.value) }
  }
  return [...same.map((pair) => toOutcome(pair, true)), ...other.map((pair) => toOutcome(pair, false))]
}

const MIN_CONFIDENCE = 0.5

function measureHeaders({ label, options, same, other }: OptionList): Outcome[] {
  const fields = split(options).map((one) => {
    const [key, type = 'string'] = one.split(':')
    return Field.parse({ key, type, label: key!.replaceAll('_', ' ') })
  })
  const toOutcome = (pair: { value: string; meant: string | undefined }, mustBeFound: boolean): Outcome => {
    const [found] = matchByEngine([pair.value], fields)
    const suggested = found && found.confidence >= MIN_CONFIDENCE ? { option: found.field, rule: 'header' } : undefined
    return { list: label, value: pair.value, meant: pair.meant?.split(':')[0], mustBeFound, suggested }
  }
  return [
    ...parsePairs(same).map((pair) => toOutcome(pair, true)),
    ...parsePairs(other).map((pair) => toOutcome(pair, false)),
  ]
}

export const measureOptions = (lists: readonly OptionList[]): Outcome[] => lists.flatMap(measureList)

export const isWrong = ({ suggested, meant }: Outcome): boolean => suggested !== undefined && suggested.option !== meant
export const isFound = ({ suggested, meant }: Outcome): boolean => suggested !== undefined && suggested.option === meant

function print(title: string, outcomes: readonly Outcome[], hasDetails: boolean): void {
  const wrong = outcomes.filter(isWrong)
  const due = outcomes.filter(({ mustBeFound }) => mustBeFound)
  const found = due.filter(isFound)
  const perThousand = ((1000 * wrong.length) / outcomes.length).toFixed(1)
  const recall = ((100 * found.length) / due.length).toFixed(1)
  console.log(`${title}: ${outcomes.length} values, ${due.length} of them with an option.`)
  console.log(`${wrong.length} wrong (${perThousand} per 1,000), ${found.length} found (${recall} %).`)
  const rules = [...new Set(outcomes.flatMap(({ suggested }) => suggested?.rule ?? []))]
  const table = new Table({ head: ['rule', 'found', 'wrong'], style: { head: [], border: [], compact: true } })
  const count = (some: readonly Outcome[], rule: string) =>
    some.filter(({ suggested }) => suggested?.rule === rule).length
  for (const rule of rules.sort()) table.push([rule, count(found, rule), count(wrong, rule)])
  console.log(table.toString())
  if (!hasDetails) return
  for (const { list, value, suggested, meant } of wrong)
    console.log(
      `wrong: ${list}: ${value} as ${suggested!.option} by ${suggested!.rule}${meant ? `, not ${meant}` : ''}`,
    )
  for (const { list, value, meant } of due.filter((one) => !one.suggested))
    console.log(`missed: ${list}: ${value} as ${meant}`)
}

export function run(): void {
  const hasDetails = process.argv.includes('--details')
  print('Lists', measureOptions(OPTION_LISTS), hasDetails)
  print('Lists apart', measureOptions(UNSEEN_OPTION_LISTS), hasDetails)
  print('Lists written later', measureOptions(LATER_OPTION_LISTS), hasDetails)
  print('Broader', measureOptions(BROADER_OPTION_LISTS), hasDetails)
  print('Broader, apart', measureOptions(UNSEEN_BROADER_OPTION_LISTS), hasDetails)
  print('Headers', HEADER_LISTS.flatMap(measureHeaders), hasDetails)
  print('Headers written later', LATER_HEADER_LISTS.flatMap(measureHeaders), hasDetails)
  print('Headers apart', UNSEEN_HEADER_LISTS.flatMap(measureHeaders), false)
}
