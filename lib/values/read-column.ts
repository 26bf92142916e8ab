/** Collects evidence from all texts of a column, decides a reading, and reads each text that has one meaning. Pure. */
import type { Reading } from '../../schemas/programs/readings.ts'
import { gatherBooleans, readBooleanIn } from './booleans.ts'
import { gatherDates, readDateIn } from './date-columns.ts'
import type { DateProblem } from './dates.ts'
import type { Decision } from './decision.ts'
import { findFieldUnit, gatherNumbers, type NumberProblem, readNumberIn } from './numbers.ts'
import { cleanText } from './texts.ts'

export interface ReadableField {
  type: string
  key?: string
  label?: string | null | undefined
  config?: unknown
}

export type ReadValue = { value: string | number | boolean } | { problem: DateProblem | NumberProblem }

export interface ColumnEvidence {
  add(text: string | null): void
  decide(thisYear: number): Decision
}

export function gatherColumn(field: ReadableField): ColumnEvidence | undefined {
  switch (field.type) {
    case 'string':
      return { add() {}, decide: () => ({ reading: { type: 'string' } }) }
    case 'number': {
      const numbers = gatherNumbers()
      const unit = findFieldUnit(field.label ?? '') ?? findFieldUnit(field.key ?? '')
      return { add: (text) => text === null || numbers.add(text), decide: () => numbers.decide(unit) }
    }
    case 'date': {
      const dates = gatherDates()
      return { add: (text) => text === null || dates.add(text), decide: (thisYear) => dates.decide(thisYear) }
    }
    case 'boolean': {
      const booleans = gatherBooleans()
      let hasEmpty = false
      const allowsIndeterminate = (field.config as { allowIndeterminate?: unknown } | null)?.allowIndeterminate === true
      return {
        add(text) {
          if (text === null || cleanText(text) === '') hasEmpty = true
          else booleans.add(text)
        },
        decide: () => booleans.decide(hasEmpty, allowsIndeterminate),
      }
    }
    default:
      return undefined
  }
}

export function readValue(reading: Reading, text: string): ReadValue {
  switch (reading.type) {
    case 'string':
      return { value: cleanText(text) }
    case 'number':
      return readNumberIn(reading, text)
    case 'boolean':
      return readBooleanIn(reading, text)
    case 'date': {
      const read = readDateIn(reading, text)
      return 'date' in read ? { value: read.date } : read
    }
  }
}
