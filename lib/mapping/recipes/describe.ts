/** Describes the steps of a recipe as sentences of the message catalogue. Pure. */
import { message } from '../../../schemas/messages/index.ts'
import type { DateOrder, Reading } from '../../../schemas/programs/readings.ts'
import { PLAIN_RULES, type PlainRule } from '../../../schemas/programs/rules.ts'
import type { DuplicateSearch, ValueEdit } from '../../../schemas/quality/shape.ts'
import type { NewRule } from '../edges.ts'
import { DERIVED_PREFIX } from '../rules/cells.ts'

export function describeRule(rule: NewRule): string {
  const parsed = parsePlainRule(rule)
  const text = (parsed && describePlainRule(parsed)) ?? describeOtherRule(rule)
  const { filter } = (rule.config ?? {}) as { filter?: string | null }
  return filter ? message('recipes.onlyRows', { step: text, filter }) : text
}

function parsePlainRule({ type, config }: NewRule): PlainRule | undefined {
  if (!Object.hasOwn(PLAIN_RULES, type)) return undefined
  const result = PLAIN_RULES[type as keyof typeof PLAIN_RULES].safeParse(config)
  return result.success ? ({ type, config: result.data } as PlainRule) : undefined
}

function describePlainRule({ type, config }: PlainRule): string | undefined {
  switch (type) {
    case 'assign': {
      const { sourceField: column, destinationField: field, values = [] } = config
      return values.length === 0
        ? message('recipes.assign', { column, field })
        : message('recipes.translate', { column, field, count: values.length })
    }
    case 'read':
      return describeRead(config, describeReading(config.reading))
    case 'edit':
      return describeEdit(config, config.edit)
    case 'leave-out':
      return message(config.leaveOut ? 'recipes.leaveOut' : 'recipes.keepOtherLines')
    default:
      return undefined
  }
}

interface Target {
  sourceField: string
  destinationField: string
}

const describeRead = ({ sourceField: column, destinationField: field }: Target, form: string): string =>
  column === `${DERIVED_PREFIX}${field}`
    ? message('recipes.read', { field, form })
    : message('recipes.readInto', { column, field, form })

function describeEdit(target: Target, edit: ValueEdit): string {
  const { destinationField: field } = target
  if (edit.type === 'replace') return describeReplacements(field, edit.replacements)
  const step =
    edit.type === 'read'
      ? describeRead(target, describeReading(edit.reading))
      : message('recipes.split', { field, separator: edit.separator })
  return edit.pattern === undefined ? step : message('recipes.onlyLike', { step, pattern: edit.pattern })
}

function describeReplacements(field: string, [first, ...others]: readonly { from: unknown; to: unknown }[]): string {
  const shown = { field, from: toText(first!.from), to: toText(first!.to) }
  return others.length === 0
    ? message('recipes.replace', shown)
    : message('recipes.replaceMany', { ...shown, count: others.length })
}

const toText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

const DATES = { dmy: 'recipes.datesDmy', mdy: 'recipes.datesMdy', ymd: 'recipes.datesYmd' } as const

function describeReading(reading: Reading): string {
  switch (reading.type) {
    case 'date': {
      const [order, ...others] = new Set<DateOrder>(Object.values(reading.orders ?? {}))
      return message(order && others.length === 0 ? DATES[order] : 'recipes.dates')
    }
    case 'number':
      return reading.decimalMark
        ? message('recipes.numbersWith', { mark: reading.decimalMark })
        : message('recipes.numbers')
    case 'boolean':
      return message('recipes.booleans')
    case 'enum':
      return message('recipes.options')
    case 'string':
      return message('recipes.texts')
    case 'email':
      return message('recipes.emails')
    case 'phone':
      return message('recipes.phones')
    case 'url':
      return message('recipes.urls')
    case 'time':
      return message('recipes.times')
  }
}

function describeOtherRule({ name, config }: NewRule): string {
  const { destinationField, destinationFields } = (config ?? {}) as Record<string, unknown>
  const field = [destinationField ?? destinationFields ?? '-'].flat().join(', ')
  return message('recipes.rule', { name, field })
}

export function describeMerge({ fields, method, radius }: DuplicateSearch): string {
  const names = fields.join(', ')
  return method === 'distance'
    ? message('recipes.mergeNear', { fields: names, count: radius })
    : message('recipes.merge', { fields: names })
}
