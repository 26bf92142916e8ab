/** Evaluates each type of rule for one row: source cells in, destination cells out. Pure. */
import type { PlainRule } from '../../../schemas/programs/rules.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { compileEdit } from '../../quality/edits.ts'
import { evaluateCell } from '../../records/index.ts'
import { createTranslator } from '../apply.ts'
import { parseEquation } from './arithmetic.ts'
import { type Cell, DERIVED_PREFIX, isEmpty, parseNumber, roundFloatError, toText } from './cells.ts'
import { createDateParser } from './dates.ts'
import { createExtractor } from './pattern.ts'
import { createReader } from './read.ts'

export interface RuleEvaluator {
  inputs: readonly string[]
  outputs: readonly string[]
  evaluate(cells: readonly Cell[]): readonly Cell[]
}

type EvaluableRule = Exclude<PlainRule, { type: 'ignore' | 'delete' | 'leave-out' }>

const DEFAULT_LOCALE = 'en-US'
const DEFAULT_SEPARATOR = ','

export interface Destination {
  fields: readonly Field[]
  lists: ReadonlySet<string>
}

export function createRuleEvaluator(rule: EvaluableRule, { fields, lists }: Destination): RuleEvaluator {
  switch (rule.type) {
    case 'assign': {
      const { destinationField, values, delimiter } = rule.config
      const isList = lists.has(destinationField)
      return fromOneField(rule.config, createTranslator({ values: values ?? [], delimiter, isList }))
    }
    case 'constant': {
      const value = [rule.config.value]
      return { inputs: [], outputs: [rule.config.destinationField], evaluate: () => value }
    }
    case 'find-replace': {
      const { destinationField, values } = rule.config
      const replaceValues = (text: string) =>
        values.reduce((result, { find, replace }) => result.replaceAll(find, () => replace), text)
      return fromOneField(
        { sourceField: `${DERIVED_PREFIX}${destinationField}`, destinationField },
        mapText(replaceValues),
      )
    }
    case 'transform':
      return fromOneField(rule.config, mapText(TRANSFORMS[rule.config.transform]))
    case 'value-map': {
      const { values, otherwise } = rule.config
      const valueMap = new Map(
        values.map(({ sourceValue, destinationValue }) => [toText(sourceValue).trim(), destinationValue]),
      )
      return fromOneField(rule.config, (value) =>
        isEmpty(value) ? null : (valueMap.get(toText(value).trim()) ?? (otherwise === undefined ? value : otherwise)),
      )
    }
    case 'date': {
      const { format, formats = [], locale, output } = rule.config
      return fromOneField(
        rule.config,
        createDateParser({ formats: format === undefined ? formats : [format, ...formats], locale, output }),
      )
    }
    case 'number': {
      const { locale = DEFAULT_LOCALE } = rule.config
      return fromOneField(rule.config, (value) => {
        const number = parseNumber(value, locale)
        return Number.isNaN(number) ? value : number
      })
    }
    case 'read':
      return evaluateRead(rule.config)
    case 'edit':
      return evaluateEdit(rule.config, fields)
    case 'regex-extract': {
      const { sourceField, destinationFields, regex } = rule.config
      const extract = createExtractor(regex)
      return {
        inputs: [sourceField],
        outputs: destinationFields,
        evaluate: ([value]) => (isEmpty(value) ? [] : extract(toText(value))),
      }
    }
    case 'split': {
      const { sourceField, destinationFields, separator } = rule.config
      const evaluate = ([value]: readonly Cell[]) =>
        limitPieces(
          Array.isArray(value) ? value.map(toText) : toText(value).split(separator),
          destinationFields.length,
          separator,
        )
      return { inputs: [sourceField], outputs: destinationFields, evaluate }
    }
    case 'interpolate': {
      const { template } = rule.config
      return fromSeveralFields(rule.config, (cells) =>
        template.replace(/\{(\d+)\}/g, (_, index: string) => toText(cells[Number(index)])),
      )
    }
    case 'arithmetic': {
      const { equation, sourceFields, locale = DEFAULT_LOCALE } = rule.config
      const compute = parseEquation(equation, sourceFields)
      return fromSeveralFields(rule.config, (cells) => {
        const value = compute(cells.map((cell) => parseNumber(cell, locale)))
        return Number.isFinite(value) ? roundFloatError(value) : null
      })
    }
    case 'coalesce':
      return fromSeveralFields(rule.config, (cells) => cells.find((cell) => !isEmpty(cell)))
    case 'concatenate': {
      const { separator = DEFAULT_SEPARATOR } = rule.config
      return fromSeveralFields(rule.config, (cells) => filterNonEmpty(cells).map(toText).join(separator))
    }
    case 'array':
      return fromSeveralFields(rule.config, (cells) =>
        filterNonEmpty(cells).flatMap((cell) => (Array.isArray(cell) ? cell : [toText(cell)])),
      )
  }
}

function evaluateRead({ sourceField, destinationField, reading }: ReadConfig): RuleEvaluator {
  const read = createReader(reading, destinationField)
  const regionField = reading.type === 'phone' ? reading.regionField : undefined
  return {
    inputs: [sourceField, ...(regionField === undefined ? [] : [`${DERIVED_PREFIX}${regionField}`])],
    outputs: [destinationField],
    evaluate: ([value, region]) => [read(value, region)],
  }
}

function evaluateEdit({ edit, ...config }: EditConfig, fields: readonly Field[]): RuleEvaluator {
  const { destinationField } = config
  const sheet = { sheetId: '', fields }
  const change = compileEdit(sheet, { ...edit, fieldKey: destinationField })
  return fromOneField(config, (value) => {
    const changed = change(evaluateCell(sheet, destinationField, value)!.value)
    return changed === undefined ? value : changed
  })
}

type EditConfig = Extract<EvaluableRule, { type: 'edit' }>['config']
type ReadConfig = Extract<EvaluableRule, { type: 'read' }>['config']

interface OneFieldConfig {
  sourceField: string
  destinationField: string
}
const fromOneField = (
  { sourceField, destinationField }: OneFieldConfig,
  evaluate: (value: Cell) => Cell,
): RuleEvaluator => ({
  inputs: [sourceField],
  outputs: [destinationField],
  evaluate: ([value]) => [evaluate(value)],
})

interface SeveralFieldsConfig {
  sourceFields: readonly string[]
  destinationField: string
}
const fromSeveralFields = (
  { sourceFields, destinationField }: SeveralFieldsConfig,
  evaluate: (cells: readonly Cell[]) => Cell,
): RuleEvaluator => ({
  inputs: sourceFields,
  outputs: [destinationField],
  evaluate: (cells) => [evaluate(cells)],
})

const filterNonEmpty = (cells: readonly Cell[]): Cell[] => cells.filter((cell) => !isEmpty(cell))

const mapText =
  (change: (text: string) => string) =>
  (value: Cell): Cell => {
    if (typeof value === 'string') return change(value)
    return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? change(item) : item)) : value
  }

const TRANSFORMS = {
  uppercase: (text: string) => text.toUpperCase(),
  lowercase: (text: string) => text.toLowerCase(),
  titlecase: (text: string) =>
    text.replace(
      /([\p{L}\p{N}])([\p{L}\p{M}\p{N}'’]*)/gu,
      (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
    ),
  trim: (text: string) => text.trim(),
  'collapse-spaces': (text: string) => text.trim().replace(/\s+/g, ' '),
} as const

function limitPieces(allPieces: readonly string[], count: number, separator: string): string[] {
  const last = allPieces.slice(count - 1).join(separator)
  return [...allPieces.slice(0, count - 1), last].map((piece) => piece.trim())
}
