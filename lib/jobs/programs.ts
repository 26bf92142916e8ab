/** A mapping job's plan and its program say the same: whichever is changed, the other follows in the same transaction. */
import type { Field } from '../../schemas/fields.ts'
import type { Plan } from '../../schemas/mapping.ts'
import { notFound } from '../core/errors.ts'
import { JobPlans, Jobs, type StoredJob, type StoredPlan } from '../entities/jobs.ts'
import { type NewProgram, Programs, type StoredProgram } from '../entities/programs.ts'
import { type NewRule, planByRules, requiredLeft, rulesByEdges } from '../mapping/edges.ts'
import { assertRules, changeProgram, keeper, withRules } from '../mapping/programs.ts'
import type { Tx } from '../tx.ts'
import { isEnded } from './machine.ts'
import { move } from './move.ts'
import type { JobPlace } from './references.ts'

const fieldsOf = ({ source, destination }: NewProgram) => ({ source: source.fields, destination: destination.fields })

/** What people are told of a plan before it is carried out. */
export function requiredInfo(rules: readonly NewRule[], fields: readonly Field[]): string {
  const left = requiredLeft(rules, fields).map(({ key, label }) => label ?? key)
  return left.length === 0 ? 'Every required field is mapped' : `Required, but not mapped: ${left.join(', ')}`
}

/** A program of the place a job lives in. Throws 404 for one that is missing or lives elsewhere. */
export async function programIn(place: JobPlace, programId: string) {
  const program = await Programs.get(programId)
  const isThere = program?.environmentId === place.environmentId
  if (!isThere || (program.spaceId !== undefined && program.spaceId !== place.spaceId))
    throw notFound('program', programId)
  return program
}

const infoOf = ({ rules, destination }: NewProgram): string => requiredInfo(rules, destination.fields)

/** Writes the plan of the program's job as the program's rules now say. */
export async function planFollows(tx: Tx, program: NewProgram): Promise<void> {
  if (program.jobId === undefined) return
  const [job, plan] = await Promise.all([Jobs.get(program.jobId), JobPlans.get(program.jobId)])
  if (!job || plan?.programId !== program.id || isEnded(job.status)) return
  tx.write(JobPlans.replace(job.id, plan, planByRules(plan, program.rules, fieldsOf(program))))
  move(tx, job, 'plan', { info: infoOf(program) })
}

interface Followed {
  plan: Plan
  /** What people are told of the plan; undefined for the plan of a job without a program. */
  info?: string | undefined
}

/** The program of a job: the one its plan names, if that is the job's own. Another is never read, changed or accepted by the job. */
export async function programOf(
  job: Pick<StoredJob, 'id'>,
  plan: Plan | undefined,
): Promise<StoredProgram | undefined> {
  const program = plan?.programId === undefined ? undefined : await Programs.get(plan.programId)
  return program?.jobId === job.id ? program : undefined
}

/**
 * Has the program of a mapping job say what a client wants its plan to be. When the client names another program, the job's
 * own takes over its rules, and the arrows come from them. The client may read that program (references.ts).
 * @returns the plan to write
 */
export async function programFollows(
  tx: Tx,
  job: StoredJob,
  before: StoredPlan | undefined,
  wanted: Plan,
): Promise<Followed> {
  const program = await programOf(job, before)
  const other = wanted.programId !== undefined && wanted.programId !== before?.programId
  if (!program) {
    if (other) await programIn(job, wanted.programId!)
    return { plan: wanted }
  }
  const after = other ? await takenOver(tx, job, program, wanted.programId!) : arrowsOf(tx, program, wanted)
  const told = changeProgram(tx, program, after)
  const plan = planByRules({ ...wanted, programId: program.id }, told.rules, fieldsOf(told))
  return { plan: other ? plan : { ...plan, ...saidBy(wanted) }, info: infoOf(told) }
}

/** What a client says of arrows stays as it was said, with whatever it added. */
const saidBy = ({ fieldMapping }: Plan): Partial<Plan> => ({ fieldMapping })

function arrowsOf(tx: Tx, program: StoredProgram, { fieldMapping }: Plan): NewProgram {
  return withRules<NewProgram>(program, rulesByEdges(program.rules, fieldMapping, keeper(tx.actor, tx.now)))
}

async function takenOver(tx: Tx, job: StoredJob, program: StoredProgram, programId: string): Promise<NewProgram> {
  const other = await programIn(job, programId)
  await assertRules(other.rules, program, 'programId')
  const keep = keeper(tx.actor, tx.now)
  const rules = other.rules.map(({ type, name, config, metadata }) =>
    keep({ type, name, config, ...(metadata === undefined ? {} : { metadata }) }),
  )
  return withRules<NewProgram>({ ...program, familyId: other.familyId }, rules)
}
