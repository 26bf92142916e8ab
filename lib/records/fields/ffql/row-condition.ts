/** Compiles a query to a test of one record's values. */
import { type CellTest, createCellTest } from './compare.ts'
import type { Condition } from './parser.ts'

/** Reads the value of one of a rule's `fields`, so that values a rule does not need are not decoded. */
export type ReadValue = (at: number) => unknown

export interface RowCondition {
  fields: readonly string[]
  matches: (read: ReadValue) => boolean
}

/** Why a query cannot test one record: it names no field, or asks for messages, which depend on its result. */
export type ConditionProblem = { kind: 'noField' } | { kind: 'state'; state: string }

export function findConditionProblem(condition: Condition): ConditionProblem | undefined {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      for (const part of condition.of) {
        const problem = findConditionProblem(part)
        if (problem) return problem
      }
      return undefined
    }
    case 'not':
      return findConditionProblem(condition.of)
    default:
      if (condition.kind === 'is' && condition.state !== 'empty') return { kind: 'state', state: condition.state }
      return condition.field === undefined ? { kind: 'noField' } : undefined
  }
}

export function compileRowCondition(condition: Condition, getType: (field: string) => string): RowCondition {
  const fields: string[] = []
  const compile = (part: Condition): RowCondition['matches'] => {
    switch (part.kind) {
      case 'and': {
        const tests = part.of.map(compile)
        return (read) => tests.every((test) => test(read))
      }
      case 'or': {
        const tests = part.of.map(compile)
        return (read) => tests.some((test) => test(read))
      }
      case 'not': {
        const test = compile(part.of)
        return (read) => !test(read)
      }
      default: {
        const field = part.field!
        const at = fields.includes(field) ? fields.indexOf(field) : fields.push(field) - 1
        const test: CellTest =
          part.kind === 'is' ? (value) => value === null : createCellTest(part.operator, getType(field), part.value)
        return (read) => test(read(at))
      }
    }
  }
  return { matches: compile(condition), fields }
}
