import type { Problem } from '../../../schemas/kit/error-codes.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { Rule } from '../../../schemas/programs/rules.ts'
import { unprocessable } from '../../core/errors.ts'
import { getTargetFields, type NewRule } from '../../mapping/edges.ts'
import { createCellNoters, findOrigins } from '../../mapping/originals.ts'
import { compileRules, type Program, type Sides } from '../../mapping/rules/compile.ts'
import { validateRules } from '../../mapping/rules/validate.ts'
import type { MappedSheets } from './mapped-sheets.ts'

export interface CompiledProgram {
  program: Program
  rules: readonly Rule[]
}

export function compileProgram(rules: readonly NewRule[], { source, destination }: MappedSheets): CompiledProgram {
  if (getTargetFields(rules).size === 0)
    throw unprocessable(message('mappings.nothingMapped', { source: source.name, destination: destination.name }))
  const sides = { source: source.config.fields, destination: destination.config.fields }
  const validated = validateRules(rules, sides)
  const [problem, ...otherProblems] = validated.problems
  if (problem) throw unprocessable(describeProblems(problem, otherProblems.length))
  return { program: compileValidRules(validated.rules, sides), rules: validated.rules }
}

export const compileValidRules = (rules: readonly Rule[], sides: Sides): Program =>
  compileRules(rules, sides, createCellNoters(sides.destination, findOrigins(rules)))

function describeProblems({ key, message: problem }: Problem, otherCount: number): string {
  const first = message('mappings.ruleDoesNotFit', { rule: key, problem })
  return otherCount === 0 ? first : message('mappings.rulesDoNotFit', { first, count: otherCount })
}
