/** Validates rows that are not stored, and counts their problems by rule. */
import { getOrInsert } from '../columns/maps.ts'
import { loadEngines } from '../fields/engines.ts'
import {
  formatReferenceText,
  formatUniqueText,
  getComparedTexts,
  rulesOf,
  type SheetRules,
  toStoredCell,
  validateCell,
} from '../fields/rules.ts'
import type { Message, SheetRef } from '../sheet.ts'

export interface ProblemCount extends Pick<Message, 'type' | 'message' | 'field'> {
  count: number
  examples: unknown[]
}

export interface CountedProblems {
  problems: ProblemCount[]
  recordsWithErrors: number
}

/** Values of the referenced column as they would be stored, by reference field. */
export type Linked = ReadonlyMap<string, Iterable<unknown>>

export type Unread = ReadonlyMap<string, readonly (string | undefined)[]>

const MAX_EXAMPLES = 3

export async function countProblems(
  sheet: SheetRef,
  length: number,
  columns: ReadonlyMap<string, readonly unknown[]>,
  unread: Unread,
  linked: Linked = new Map(),
): Promise<CountedProblems> {
  const rules = rulesOf(sheet)
  await loadEngines(rules.engines)
  const counter = createProblemCounter(length)
  const stored = new Map<string, readonly unknown[]>()
  for (const field of rules.fields) {
    const values = columns.get(field.key) ?? new Array<null>(length).fill(null)
    const problems = unread.get(field.key)
    const cells = values.map((value) => toStoredCell(field, value))
    stored.set(field.key, cells)
    for (let row = 0; row < length; row++) {
      const problem = problems?.[row]
      const messages: readonly Message[] =
        problem === undefined
          ? validateCell(field, cells[row])
          : [{ type: 'error', source: '', message: problem, field: field.key }]
      for (const found of messages) counter.add(row, found, values[row])
    }
  }
  countDuplicates(rules, length, stored, counter)
  countUnlinked(rules, length, stored, linked, counter)
  for (const { fields, marks, message, isBrokenBy } of rules.rowRules)
    for (let row = 0; row < length; row++)
      if (isBrokenBy((at) => stored.get(fields[at]!)![row] ?? null))
        counter.add(row, message, stored.get(marks[0]!)![row])
  return counter.end()
}

function countDuplicates(
  { unique }: SheetRules,
  length: number,
  stored: ReadonlyMap<string, readonly unknown[]>,
  counter: ReturnType<typeof createProblemCounter>,
): void {
  for (const rule of unique) {
    const rowsByText = new Map<string, number[]>()
    for (let row = 0; row < length; row++) {
      const text = formatUniqueText(rule, (key) => stored.get(key)![row])
      if (text !== undefined) getOrInsert(rowsByText, text, (): number[] => []).push(row)
    }
    for (const rows of rowsByText.values())
      if (rows.length > 1) for (const row of rows) counter.add(row, rule.message, stored.get(rule.fields[0]!)![row])
  }
}

/** References within a filter are not compared: the filtered column of the other sheet is not given. */
function countUnlinked(
  { references }: SheetRules,
  length: number,
  stored: ReadonlyMap<string, readonly unknown[]>,
  linked: Linked,
  counter: ReturnType<typeof createProblemCounter>,
): void {
  for (const rule of references) {
    const values = linked.get(rule.field)
    if (!values || rule.filter) continue
    const known = new Set(Array.from(values, (value) => formatReferenceText(value, [])))
    for (let row = 0; row < length; row++) {
      const texts = getComparedTexts(rule, (key) => stored.get(key)![row])
      if (texts.some((text) => !known.has(text))) counter.add(row, rule.message, stored.get(rule.field)![row])
    }
  }
}

function createProblemCounter(length: number) {
  const counts = new Map<string, ProblemCount>()
  const hasError = new Uint8Array(length)
  return {
    add(row: number, { type, message, field }: Message, value: unknown): void {
      if (type === 'error') hasError[row] = 1
      const key = JSON.stringify([type, field, message])
      const found = getOrInsert(counts, key, () => ({ type, message, field, count: 0, examples: [] as unknown[] }))
      found.count++
      const isNew = value !== null && !found.examples.some((example) => String(example) === String(value))
      if (isNew && found.examples.length < MAX_EXAMPLES) found.examples.push(value)
    },
    end: (): CountedProblems => ({
      problems: [...counts.values()].toSorted((a, b) => b.count - a.count),
      recordsWithErrors: hasError.reduce((sum, bit) => sum + bit, 0),
    }),
  }
}
