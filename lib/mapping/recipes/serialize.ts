import type { Program } from '../../../schemas/programs/shape.ts'
import { type NewProgram, serializeProgram } from '../../entities/programs.ts'
import { describeMerge, describeRule } from './describe.ts'

export function serializeWithSteps(program: NewProgram): Program {
  const serialized = serializeProgram(program)
  if (!program.recipe) return serialized
  const steps = [
    ...program.rules.map((rule) => ({ text: describeRule(rule), ruleId: rule.id })),
    ...(program.merges ?? []).map((search) => ({ text: describeMerge(search) })),
  ]
  return { ...serialized, recipe: { ...program.recipe, steps } }
}
