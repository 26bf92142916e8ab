/** Keeps a mapping job's plan and its program in sync: changing one updates the other in the same transaction. */

import { message } from '../../../schemas/messages/index.ts'
import type { Plan } from '../../../schemas/programs/plan.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { notFound } from '../../core/errors.ts'
import { JobPlans, Jobs, type StoredJob, type StoredPlan } from '../../entities/jobs.ts'
import { type NewProgram, Programs, type StoredProgram } from '../../entities/programs.ts'
import {
  applyEdgesToRules,
  applyRulesToPlan,
  getUnmappedRequired,
  type NewRule,
  setLeaveOut,
} from '../../mapping/edges.ts'
import { assertRules, createRuleFactory, replaceRules, updateProgram } from '../../mapping/programs.ts'
import type { Tx } from '../../tx.ts'
import { isEnded } from '../lifecycle/state-machine.ts'
import { transition } from '../lifecycle/transition.ts'
import type { JobLocation } from '../request/resources.ts'

const getFields = ({ source, destination }: NewProgram) => ({ source: source.fields, destination: destination.fields })

export function describeUnmapped(rules: readonly NewRule[], fields: readonly Field[]): string {
  const unmapped = getUnmappedRequired(rules, fields).map(({ key, label }) => label ?? key)
  return unmapped.length === 0
    ? message('mappings.allRequiredMapped')
    : message('mappings.requiredUnmapped', { fields: unmapped.join(', ') })
}

export async function getProgram(location: JobLocation, programId: string) {
  const program = await Programs.get(programId)
  const isInEnvironment = program?.environmentId === location.environmentId
  if (!isInEnvironment || (program.spaceId !== undefined && program.spaceId !== location.spaceId))
    throw notFound('program', programId)
  return program
}

const describeProgram = ({ rules, destination }: NewProgram): string => describeUnmapped(rules, destination.fields)

export async function syncPlan(tx: Tx, program: NewProgram): Promise<void> {
  if (program.jobId === undefined) return
  const [job, plan] = await Promise.all([Jobs.get(program.jobId), JobPlans.get(program.jobId)])
  if (!job || plan?.programId !== program.id || isEnded(job.status)) return
  tx.write(JobPlans.replace(job.id, plan, applyRulesToPlan(plan, program.rules, getFields(program))))
  transition(tx, job, 'plan', { info: describeProgram(program) })
}

interface SyncedPlan {
  plan: Plan
  info?: string | undefined
}

/** Copies the rules of another program that the client names. request/resources.ts has checked that it can read it. */
export async function syncProgram(
  tx: Tx,
  job: StoredJob,
  before: StoredPlan | undefined,
  requestedPlan: Plan,
): Promise<SyncedPlan> {
  const program = await Programs.ofPlan(job.id, before)
  const otherProgram = requestedPlan.programId !== undefined && requestedPlan.programId !== before?.programId
  if (!program) {
    if (otherProgram) await getProgram(job, requestedPlan.programId!)
    return { plan: requestedPlan }
  }
  const after = otherProgram
    ? await copyRules(tx, job, program, requestedPlan.programId!)
    : withEdges(tx, program, requestedPlan)
  const updated = updateProgram(tx, program, after)
  const plan = applyRulesToPlan({ ...requestedPlan, programId: program.id }, updated.rules, getFields(updated))
  return { plan: otherProgram ? plan : { ...plan, ...pickEdges(requestedPlan) }, info: describeProgram(updated) }
}

const pickEdges = ({ fieldMapping }: Plan): Partial<Plan> => ({ fieldMapping })

function withEdges(tx: Tx, program: StoredProgram, { fieldMapping, otherLines }: Plan): NewProgram {
  const rules = applyEdgesToRules(program.rules, fieldMapping, createRuleFactory(tx.actor, tx.now))
  return replaceRules<NewProgram>(program, otherLines ? setLeaveOut(rules, otherLines.leaveOut) : rules)
}

async function copyRules(tx: Tx, job: StoredJob, program: StoredProgram, programId: string): Promise<NewProgram> {
  const otherProgram = await getProgram(job, programId)
  await assertRules(otherProgram.rules, program, 'programId')
  const createRule = createRuleFactory(tx.actor, tx.now)
  const rules = otherProgram.rules.map(({ type, name, config, metadata }) =>
    createRule({ type, name, config, ...(metadata === undefined ? {} : { metadata }) }),
  )
  return replaceRules<NewProgram>({ ...program, familyId: otherProgram.familyId }, rules)
}
