import type { Reading } from '../../schemas/programs/readings.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import type { InterpretedValue, ReadingProblem } from '../../schemas/values/shape.ts'
import type { Decision } from '../values/decision.ts'
import { describeProblem } from '../values/problems.ts'
import { listMeanings, listReadings } from '../values/read-column.ts'
import { createTranslator } from './apply.ts'
import { decideReading } from './conversions.ts'
import { getOptions, suggestValues } from './enums.ts'
import { detectDelimiter, isListField } from './lists.ts'
import { extractValues, withRegionField } from './readings.ts'
import { findRegion, readCell } from './rules/read.ts'
import { toSampleTexts } from './values.ts'

export interface InterpretedColumn extends Partial<Decision> {
  delimiter?: string | undefined
  values: InterpretedValue[]
}

export interface InterpretOptions {
  thisYear: number
  reading?: Reading | undefined
  regions?: { field: string; values: readonly unknown[] } | undefined
}

export function interpretColumn(
  field: Field,
  values: readonly unknown[],
  { thisYear, reading, regions }: InterpretOptions,
): InterpretedColumn {
  const decided = decideReading(field, values, thisYear)
  const decision = reading ? { reading } : withRegionField(decided, regions?.field)
  if (!decision || decision.reading.type === 'enum') return interpretItems(field, values, decision?.reading)
  const candidates = decision.question?.alternatives ?? listReadings(decision.reading)
  return {
    ...decision,
    values: values.map((value, row) => {
      const { value: cell, problem } = readCell(decision.reading, value, findRegion(regions?.values[row]))
      if (problem === undefined) return { value: cell }
      return toProblem(decision.reading.type, value, problem, listMeanings(candidates, String(value)))
    }),
  }
}

function interpretItems(field: Field, values: readonly unknown[], reading: Reading | undefined): InterpretedColumn {
  const isList = isListField(field)
  const delimiter = isList ? detectDelimiter(toSampleTexts(values)) : undefined
  const items = [...new Set(values.flatMap((value) => extractValues(value, isList, delimiter)))]
  const pairs = suggestValues(items, field)?.mapping ?? []
  const translate = createTranslator({ values: pairs, delimiter, isList })
  const isValid = createOptionTest(field)
  return {
    ...(reading ? { reading } : {}),
    ...(delimiter === undefined ? {} : { delimiter }),
    values: values.map((value) => {
      const cell = reading ? readCell(reading, value).value : value
      const translated = cell === '' ? null : translate(cell)
      const isRead = [translated].flat().every((item) => item === null || isValid(item))
      return isRead ? { value: translated } : toProblem(field.type, translated, 'not-an-option', [])
    }),
  }
}

const isOptionField = (field: Field) => field.type === 'enum' || field.type === 'enum-list'

function createOptionTest(field: Field): (item: unknown) => boolean {
  const acceptsAny = !isOptionField(field) || field.config.allowCustom === true
  const values = acceptsAny ? undefined : getOptions(field)?.map(({ value }) => String(value))
  return (item) => values === undefined || values.includes(String(item))
}

function toProblem(
  type: string,
  value: unknown,
  problem: ReadingProblem,
  alternatives: InterpretedValue['alternatives'] & {},
): InterpretedValue {
  const text = describeProblem(type, problem, alternatives)
  return { value, problem, message: text, ...(alternatives.length > 0 ? { alternatives } : {}) }
}
