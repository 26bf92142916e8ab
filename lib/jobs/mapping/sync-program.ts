import { message } from '../../../schemas/messages/index.ts'
import type { Edge, Plan } from '../../../schemas/programs/plan.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { notFound } from '../../core/errors.ts'
import { JobPlans, Jobs, type StoredJob, type StoredPlan } from '../../entities/jobs.ts'
import { type NewProgram, Programs, type StoredProgram } from '../../entities/programs.ts'
import { Sheets } from '../../entities/sheets.ts'
import {
  applyRulesToPlan,
  buildEdgeKey,
  buildPairKey,
  getAssignConfig,
  getUnmappedRequired,
  type NewRule,
  setLeaveOut,
} from '../../mapping/edges.ts'
import { applyPlanToRules, assertReadings, transformToRule } from '../../mapping/plan-rules.ts'
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
  suggest = false,
): Promise<SyncedPlan> {
  const program = await Programs.ofPlan(job.id, before)
  const otherProgram = requestedPlan.programId !== undefined && requestedPlan.programId !== before?.programId
  if (!program) {
    if (otherProgram) await getProgram(job, requestedPlan.programId!)
    return { plan: requestedPlan }
  }
  const { edges, conversions } = suggest
    ? await suggestNewEdges(program, requestedPlan.fieldMapping)
    : { edges: requestedPlan.fieldMapping, conversions: [] }
  const newPlan = { ...requestedPlan, fieldMapping: edges }
  const after = otherProgram
    ? await copyRules(tx, job, program, requestedPlan.programId!)
    : await withPlan(tx, program, newPlan, conversions)
  const updated = updateProgram(tx, program, after)
  const plan = applyRulesToPlan({ ...newPlan, programId: program.id }, updated.rules, getFields(updated))
  return { plan: otherProgram ? plan : { ...plan, fieldMapping: edges }, info: describeProgram(updated) }
}

async function withPlan(
  tx: Tx,
  program: StoredProgram,
  plan: Plan,
  conversions: readonly NewRule[],
): Promise<NewProgram> {
  assertReadings(plan.fieldMapping, program.destination.fields)
  await assertRules((plan.transforms ?? []).map(transformToRule), program, 'transforms')
  const createRule = createRuleFactory(tx.actor, tx.now)
  const rules = applyPlanToRules(program.rules, plan, conversions, createRule)
  return replaceRules<NewProgram>(program, plan.otherLines ? setLeaveOut(rules, plan.otherLines.leaveOut) : rules)
}

/** Uses the fields of the program, because a client may send incomplete ones. */
async function suggestNewEdges(
  program: StoredProgram,
  fieldMapping: readonly Edge[],
): Promise<{ edges: Edge[]; conversions: NewRule[] }> {
  const known = new Set(program.rules.flatMap((rule) => buildRulePair(rule) ?? []))
  const newEdges = fieldMapping.flatMap((edge) =>
    known.has(buildEdgeKey(edge)) || edge.metadata?.reading ? [] : (withOwnFields(edge, program) ?? []),
  )
  if (newEdges.length === 0) return { edges: [...fieldMapping], conversions: [] }
  const sourceSheet = program.sourceSheetId === undefined ? undefined : await Sheets.get(program.sourceSheetId)
  const { suggestReadings } = await import('../../mapping/suggestions.ts')
  const suggested = await suggestReadings({ ...program, sourceSheet }, newEdges)
  const byPair = new Map(suggested.edges.map((edge) => [buildEdgeKey(edge), edge]))
  const edges = fieldMapping.map((edge): Edge => {
    const found = byPair.get(buildEdgeKey(edge))
    if (!found) return edge
    const metadata = { ...found.metadata!, confidence: edge.metadata?.confidence }
    return { ...found, metadata, preview: edge.preview, enumDetails: edge.enumDetails ?? found.enumDetails }
  })
  return { edges, conversions: suggested.conversions }
}

function buildRulePair(rule: NewRule): string | undefined {
  const config = getAssignConfig(rule)
  return config && buildPairKey(config)
}

function withOwnFields(edge: Edge, { source, destination }: StoredProgram): Edge | undefined {
  const sourceField = source.fields.find(({ key }) => key === edge.sourceField.key)
  const destinationField = destination.fields.find(({ key }) => key === edge.destinationField.key)
  if (!sourceField || !destinationField) return undefined
  const metadata = {
    certainty: 'absolute' as const,
    confidence: 1,
    source: edge.metadata?.source,
    detectedDelimiter: undefined,
  }
  return { ...edge, sourceField, destinationField, metadata }
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
