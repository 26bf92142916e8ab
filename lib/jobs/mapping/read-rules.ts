import * as operations from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { Plan } from '../../../schemas/programs/plan.ts'
import type { DuplicateSearch } from '../../../schemas/quality/shape.ts'
import { conflict } from '../../core/errors.ts'
import { JobPlans, type NewJob } from '../../entities/jobs.ts'
import { Programs, type StoredProgram } from '../../entities/programs.ts'
import { applyRulesToPlan, type NewRule } from '../../mapping/edges.ts'
import { planToRules } from '../../mapping/plan-rules.ts'
import { getFields, haveFieldsChanged } from '../../mapping/programs.ts'
import { suggestAgain } from '../../mapping/recompute.ts'
import { parseConfig } from '../request/config.ts'
import { toSides } from './build-plan.ts'
import type { MappedSheets } from './mapped-sheets.ts'

export const needsRecomputing = (job: NewJob, program: StoredProgram, sheets: MappedSheets): boolean =>
  parseConfig(operations.map, job).canRecompute === true &&
  (program.recomputingAt !== undefined || haveFieldsChanged(program, toSides(sheets)))

interface JobRules {
  plan: Plan
  rules: readonly NewRule[]
  merges: readonly DuplicateSearch[]
}

export async function readRules(job: NewJob, sheets: MappedSheets): Promise<JobRules> {
  const plan = await JobPlans.get(job.id)
  if (!plan) throw conflict(message('mappings.noPlan'))
  const program = await Programs.ofPlan(job.id, plan)
  if (!program) return { plan, rules: planToRules(plan), merges: [] }
  const { merges = [] } = program
  if (!needsRecomputing(job, program, sheets)) return { plan, rules: program.rules, merges }
  const current = program.recomputingAt === undefined ? { ...program, ...toSides(sheets) } : program
  const rules = await suggestAgain(current)
  return { plan: applyRulesToPlan(plan, rules, getFields(current)), rules, merges }
}
