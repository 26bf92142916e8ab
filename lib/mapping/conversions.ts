/** Suggests how the texts of a column are read, and asks about those with several meanings. Pure. */
import type { Edge } from '../../schemas/programs/plan.ts'
import type { Reading, ReadingQuestion } from '../../schemas/programs/readings.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import type { Decision, FileHabits } from '../values/decision.ts'
import { type ColumnSource, gatherColumn } from '../values/read-column.ts'
import { toStored } from '../values/stored.ts'
import type { NewRule } from './edges.ts'
import { isListField } from './lists.ts'
import { DERIVED_PREFIX } from './rules/cells.ts'
import { readText } from './rules/read.ts'

export interface Conversion {
  rule?: NewRule | undefined
  question?: ReadingQuestion | undefined
}

export function suggestConversion(
  edge: Edge,
  values: readonly unknown[],
  thisYear: number,
  decision = decideReading(edge.destinationField as unknown as Field, values, thisYear),
): Conversion {
  const field = edge.destinationField as unknown as Field
  if (!decision) return {}
  const { reading, question } = decision
  return { rule: changesValues(reading, values) ? buildRule(edge, field, reading) : undefined, question }
}

export function decideReading(
  field: Field,
  values: readonly unknown[],
  thisYear: number,
  source?: ColumnSource,
  file?: FileHabits,
): Decision | undefined {
  const evidence = isListField(field) ? undefined : gatherColumn(field, source)
  if (!evidence) return undefined
  for (const value of values) if (!Array.isArray(value)) evidence.add(toText(value))
  return evidence.decide(thisYear, file)
}

const toText = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

function changesValues(reading: Reading, values: readonly unknown[]): boolean {
  if (reading.type === 'boolean') return reading.emptyValue !== undefined || reading.emptyTexts !== undefined
  if (reading.type === 'enum') return reading.emptyTexts !== undefined
  return values.some((value) => typeof value === 'string' && readText(reading, value, '') !== toStored(reading, value))
}

function buildRule({ metadata }: Edge, { key, label }: Field, reading: Reading): NewRule {
  return {
    name: `${label ?? key}: ${describeReading(reading)}`.slice(0, MAX_NAME_LENGTH),
    type: 'read',
    config: { sourceField: `${DERIVED_PREFIX}${key}`, destinationField: key, reading },
    confidence: metadata?.confidence ?? 0,
    metadata: { source: metadata?.source },
  }
}

const MAX_NAME_LENGTH = 500
const ORDER_NAMES = { dmy: 'day first', mdy: 'month first', ymd: 'year first' } as const

function describeReading(reading: Reading): string {
  const empty = 'emptyTexts' in reading ? reading.emptyTexts : undefined
  const zero = 'zeroTexts' in reading ? reading.zeroTexts : undefined
  const texts = [...(zero ? [`0 for ${zero.join(' ')}`] : []), ...(empty ? [`empty for ${empty.join(' ')}`] : [])]
  return [describeForm(reading), ...texts].filter(Boolean).join(', ')
}

function describeForm(reading: Reading): string {
  switch (reading.type) {
    case 'number':
      return [
        'read numbers',
        reading.decimalMark && `decimals after ${reading.decimalMark}`,
        reading.units?.join(' '),
        reading.debits && `debits ${reading.debits}`,
      ]
        .filter(Boolean)
        .join(', ')
    case 'date': {
      const orders = new Set(Object.values(reading.orders ?? {}))
      const time = reading.withoutTime ? ['without the time'] : []
      const serials = reading.serials ? ['day numbers'] : reading.timestamps ? ['timestamps'] : []
      return ['read dates', ...[...orders].map((order) => ORDER_NAMES[order]), ...serials, ...time].join(', ')
    }
    case 'boolean':
      return reading.emptyValue === undefined ? '' : 'false where it is empty'
    case 'enum':
      return ''
    case 'email':
      return 'read email addresses'
    case 'phone':
      return 'read phone numbers'
    case 'url':
      return 'read web addresses'
    case 'time':
      return 'read times'
    case 'string':
      if (reading.emails) return 'read email addresses'
      return reading.htmlEntities ? 'read characters such as &amp;' : 'remove surrounding and invisible characters'
  }
}
