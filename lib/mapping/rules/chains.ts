/** Finds the fields that are filled from one column, value by value. Pure. */
import type { PlainRule, Rule } from '../../../schemas/programs/rules.ts'
import type { ConvertedCell } from '../../records/index.ts'
import { readsPlainNumbers } from '../../values/numbers.ts'
import { getValue } from '../../values/read-cell.ts'
import { type Cell, DERIVED_PREFIX, emptyToNull, isEmpty } from './cells.ts'
import { createRuleEvaluator, type Destination, type RuleEvaluator } from './evaluate.ts'

/** The rules that fill a field one after the other: each reads the column, or the field's value so far. */
export interface Chain {
  source: string
  links: ChainLink[]
}

interface ChainLink {
  rule: number
  plainRule: PlainRule
  evaluate: RuleEvaluator['evaluate']
  isInPlace: boolean
}

export function findChains(rules: readonly Rule[], destination: Destination): ReadonlyMap<string, Chain> {
  const chains = new Map<string, Chain>()
  const evaluatedByRow = new Set<string>()
  for (const [index, rule] of rules.entries()) {
    if (addToChain(chains, rule, index, destination)) continue
    for (const key of listFields(rule, destination)) evaluatedByRow.add(key)
  }
  return new Map([...chains].filter(([key]) => !evaluatedByRow.has(key)))
}

function addToChain(chains: Map<string, Chain>, rule: Rule, index: number, destination: Destination): boolean {
  if (!isEvaluable(rule) || rule.config.filter !== undefined) return false
  const { inputs, outputs, evaluate } = createRuleEvaluator(rule, destination)
  const [input, key] = [inputs[0], outputs[0]]
  if (inputs.length !== 1 || outputs.length !== 1 || input === undefined || key === undefined) return false
  const isInPlace = input === toDerived(key)
  const chain = chains.get(key)
  const source = isInPlace ? chain?.source : input
  if (source === undefined || source.startsWith(DERIVED_PREFIX) || (chain && chain.source !== source)) return false
  const link = { rule: index, plainRule: rule, evaluate, isInPlace }
  if (chain) chain.links.push(link)
  else chains.set(key, { source, links: [link] })
  return true
}

type EvaluableRule = Exclude<PlainRule, { type: 'ignore' | 'delete' | 'leave-out' }>

const isEvaluable = (rule: Rule): rule is EvaluableRule =>
  rule.type !== 'subprogram' && rule.type !== 'ignore' && rule.type !== 'delete' && rule.type !== 'leave-out'

const toDerived = (key: string): string => `${DERIVED_PREFIX}${key}`

function listFields(rule: Rule, destination: Destination): string[] {
  if (rule.type === 'subprogram') return rule.config.rules.flatMap((nested) => listFields(nested, destination))
  if (rule.type === 'delete') return [rule.config.destinationField]
  if (!isEvaluable(rule)) return []
  const { inputs, outputs } = createRuleEvaluator(rule, destination)
  const derived = inputs.flatMap((name) => (name.startsWith(DERIVED_PREFIX) ? name.slice(DERIVED_PREFIX.length) : []))
  return [...outputs, ...derived]
}

export interface ChainField {
  type: string | undefined
  note: ((value: Cell, text: Cell) => Cell) | undefined
}

export interface ChainConversion {
  convert(value: unknown): ConvertedCell
  plainNumbersChangedBy: readonly number[] | undefined
}

/** Undefined if every value stays the same. */
export function createConversion(
  { links }: Chain,
  destination: Destination,
  field: ChainField,
): ChainConversion | undefined {
  const isSame = links.every(({ plainRule }) => copiesValues(plainRule, destination))
  // An assigned text gets a note only if it is a date that is stored in another form.
  if (isSame && (!field.note || field.type !== 'date')) return undefined
  const convert = (value: unknown): ConvertedCell => convertValue(links, field, value)
  const plainNumbers = field.type === 'number' && keepsPlainNumbers(links, destination)
  return { convert, plainNumbersChangedBy: plainNumbers ? convert('1').changedBy : undefined }
}

function convertValue(links: readonly ChainLink[], { note }: ChainField, value: unknown): ConvertedCell {
  const changedBy: number[] = []
  let cell: Cell = null
  for (const { rule, evaluate, isInPlace } of links) {
    const input = isInPlace ? getValue(cell) : value
    const output = evaluate([input])[0]
    if (isInPlace && output === input) continue
    if (isInPlace && !(isEmpty(output) && isEmpty(input))) changedBy.push(rule)
    cell = emptyToNull(output)
  }
  return { cell: note ? note(cell, value) : cell, changedBy }
}

const copiesValues = (rule: PlainRule, { lists }: Destination): boolean =>
  rule.type === 'assign' && !rule.config.values?.length && !lists.has(rule.config.destinationField)

/** Whether the number that a text of digits shows is the number that is stored. */
function keepsPlainNumbers(links: readonly ChainLink[], destination: Destination): boolean {
  const [first, second, ...others] = links.map(({ plainRule }) => plainRule)
  if (!first || !second || others.length > 0 || !copiesValues(first, destination)) return false
  return second.type === 'read' && second.config.reading.type === 'number' && readsPlainNumbers(second.config.reading)
}
