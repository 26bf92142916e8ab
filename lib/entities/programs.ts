/** Stored mapping programs, listed by environment and by space. Fields and rules are compressed inside the item. */
import * as z from 'zod'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { MINUTE_MS } from '../../schemas/kit/time.ts'
import * as programs from '../../schemas/programs/events.ts'
import type { Plan } from '../../schemas/programs/plan.ts'
import { StoredRecipe } from '../../schemas/programs/recipe.ts'
import { MappingRule } from '../../schemas/programs/rules.ts'
import { Program } from '../../schemas/programs/shape.ts'
import { Field } from '../../schemas/sheets/fields.ts'
import { dueBefore, enqueueAt } from '../table/due-queue.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { PutWrite, Write } from '../table/write.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'
import { MAX_PACKED_BYTES, pack, unpack } from './packed.ts'
import { Recipes } from './recipes.ts'

const Side = z.object({
  name: z.string(),
  slug: z.string().optional(),
  fields: z.array(Field),
  mappingConfidenceThreshold: z.number().optional(),
})
export type ProgramSide = z.infer<typeof Side>

const PackedContent = z.object({ source: Side, destination: Side, rules: z.array(MappingRule) })

const Shape = Program.omit({ rules: true, sourceKeys: true, destinationKeys: true }).extend({
  id: Id,
  accountId: Id,
  environmentId: Id,
  familyId: Id,
  namespaces: Namespaces,
  createdBy: Id,
  createdAt: Time,
  updatedBy: Id,
  updatedAt: Time,
  recipe: StoredRecipe.optional(),
  packed: z.string(),
})
const stored = entity({
  name: 'program',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
})

export type NewProgram = Omit<z.infer<typeof Shape>, 'packed'> & z.infer<typeof PackedContent>
export type StoredProgram = NewProgram & { rev: number }

/** Reserved for acceptance metadata: a job that has already written its records must not fail for lack of space. */
const ACCEPTANCE_RESERVE_BYTES = 30 * 1024

function packProgram({ source, destination, rules, ...otherFields }: NewProgram) {
  const limit = MAX_PACKED_BYTES - (otherFields.acceptedAt === undefined ? ACCEPTANCE_RESERVE_BYTES : 0)
  return { ...otherFields, packed: pack('program', PackedContent.parse({ source, destination, rules }), limit) }
}
const unpackProgram = ({ packed, ...otherFields }: Stored<typeof Shape>): StoredProgram => ({
  ...otherFields,
  ...PackedContent.parse(unpack(packed)),
})

const QUEUE = 'program'
/** A recomputation whose process died is resumed after this time. */
const RECOMPUTE_TIMEOUT_MS = MINUTE_MS

const withRecomputeDeadline = (write: PutWrite, { id, recomputingAt }: NewProgram): Write =>
  recomputingAt === undefined
    ? write
    : enqueueAt(write, QUEUE, id, new Date(Date.parse(recomputingAt) + RECOMPUTE_TIMEOUT_MS).toISOString())

export const Programs = {
  async get(id: string): Promise<StoredProgram | undefined> {
    const found = await stored.get(id)
    return found && unpackProgram(found)
  },
  /** The program that a job's plan names, if it belongs to the job, which never reads, changes or accepts any other. */
  async ofPlan(jobId: string, plan: Plan | undefined): Promise<StoredProgram | undefined> {
    const program = plan?.programId === undefined ? undefined : await Programs.get(plan.programId)
    return program?.jobId === jobId ? program : undefined
  },
  create: (program: NewProgram): Write => stored.create(packProgram(program)),
  replace: (before: StoredProgram, after: NewProgram): Write =>
    withRecomputeDeadline(stored.replace({ ...before, packed: '' }, packProgram(after)), after),
  remove: (before: StoredProgram): Write[] => [
    stored.remove({ ...before, packed: '' }),
    ...(before.recipe ? [Recipes.remove(before)] : []),
  ],
  inEnvironment: async (environmentId: string, order: 'asc' | 'desc' = 'desc'): Promise<StoredProgram[]> =>
    (await stored.list('inEnvironment', { environmentId }, { order })).map(unpackProgram),
  inSpace: async (spaceId: string): Promise<StoredProgram[]> =>
    (await stored.list('inSpace', { spaceId })).map(unpackProgram),
  recipesIn: async (environmentId: string, order: 'asc' | 'desc' = 'desc'): Promise<StoredProgram[]> =>
    (await stored.getMany(await Recipes.listIds(environmentId, order))).map(unpackProgram),
  async *listDue(now: Date): AsyncGenerator<StoredProgram[]> {
    for await (const ids of dueBefore(QUEUE, now)) {
      const found = await stored.getMany(ids)
      yield found.filter(({ recomputingAt }) => recomputingAt !== undefined).map(unpackProgram)
    }
  },
}

/** The specification's CP. Its ids are required, so a program without a sheet has empty ones. */
export const programContext = (program: NewProgram) => ({
  environmentId: program.environmentId,
  programId: program.id,
  spaceId: program.spaceId ?? '',
  workbookId: program.workbookId ?? '',
  sheetId: program.sheetId ?? program.sourceSheetId ?? '',
  ...(program.jobId ? { jobId: program.jobId } : {}),
})

export function insertProgram(tx: Tx, program: NewProgram): void {
  tx.write(Programs.create(program), ...(program.recipe ? [Recipes.create(program)] : []))
  tx.emit(programs.created, programContext(program), {}, { namespaces: program.namespaces })
}

export const serializeProgram = ({ recipe: _, ...program }: Omit<NewProgram, 'id'> & { id?: string }): Program => ({
  ...program,
  sourceKeys: program.source.fields.map(({ key }) => key),
  destinationKeys: program.destination.fields.map(({ key }) => key),
})
