/**
 * Stored mapping programs, listed by environment and by space. Fields of both sides and rules are kept compressed in the
 * program's own item: a program is read, changed and carried out as a whole.
 */
import * as z from 'zod'
import { Field } from '../../schemas/fields.ts'
import { Id, Time } from '../../schemas/ids.ts'
import { MappingRule } from '../../schemas/mapping-rule.ts'
import { Program } from '../../schemas/program.ts'
import * as programs from '../../schemas/programs.ts'
import { due, dueAt } from '../table/due.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'
import { PACKED_BYTES, pack, unpack } from './packed.ts'

/** One side: as much of a sheet's configuration as a mapping looks at. */
const Side = z.object({
  name: z.string(),
  slug: z.string().optional(),
  fields: z.array(Field),
  mappingConfidenceThreshold: z.number().optional(),
})
export type ProgramSide = z.infer<typeof Side>

const Packed = z.object({ source: Side, destination: Side, rules: z.array(MappingRule) })

const Shape = Program.omit({ rules: true, sourceKeys: true, destinationKeys: true }).extend({
  id: Id,
  accountId: Id,
  environmentId: Id,
  familyId: Id,
  /** What listeners filter by: the namespaces of the sheet it maps to. */
  namespaces: Namespaces,
  createdBy: Id,
  createdAt: Time,
  updatedBy: Id,
  updatedAt: Time,
  packed: z.string(),
})
const stored = entity({
  name: 'program',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
})

export type NewProgram = Omit<z.infer<typeof Shape>, 'packed'> & z.infer<typeof Packed>
export type StoredProgram = NewProgram & { rev: number }

/** Room for who accepted what: a job that has carried its records must not fail for want of it. */
const ACCEPTANCE_BYTES = 30 * 1024

function packedUp({ source, destination, rules, ...rest }: NewProgram) {
  const limit = PACKED_BYTES - (rest.acceptedAt === undefined ? ACCEPTANCE_BYTES : 0)
  return { ...rest, packed: pack('mapping program', Packed.parse({ source, destination, rules }), limit) }
}
const unpacked = ({ packed, ...rest }: Stored<typeof Shape>): StoredProgram => ({
  ...rest,
  ...Packed.parse(unpack(packed)),
})

const QUEUE = 'program'
/** A recomputation whose process died is taken up after so long. */
const TAKEN_UP_MS = 60_000

const queued = (write: Write, { id, recomputingAt }: NewProgram): Write =>
  recomputingAt === undefined
    ? write
    : dueAt(write, QUEUE, id, new Date(Date.parse(recomputingAt) + TAKEN_UP_MS).toISOString())

export const Programs = {
  async get(id: string): Promise<StoredProgram | undefined> {
    const found = await stored.get(id)
    return found && unpacked(found)
  },
  create: (program: NewProgram): Write => stored.create(packedUp(program)),
  replace: (before: StoredProgram, after: NewProgram): Write =>
    queued(stored.replace({ ...before, packed: '' }, packedUp(after)), after),
  remove: (before: StoredProgram): Write => stored.remove({ ...before, packed: '' }),
  inEnvironment: async (environmentId: string, order: 'asc' | 'desc' = 'desc'): Promise<StoredProgram[]> =>
    (await stored.list('inEnvironment', { environmentId }, { order })).map(unpacked),
  inSpace: async (spaceId: string): Promise<StoredProgram[]> =>
    (await stored.list('inSpace', { spaceId })).map(unpacked),
  /** Programs whose recomputation is overdue, some at a time. */
  async *due(now: Date): AsyncGenerator<StoredProgram[]> {
    for await (const ids of due(QUEUE, now)) {
      const found = await stored.getMany(ids)
      yield found.filter(({ recomputingAt }) => recomputingAt !== undefined).map(unpacked)
    }
  },
}

/** CP of the specification: its ids are texts, also those of a program that is about two configurations and no sheet. */
export const programContext = (program: NewProgram) => ({
  environmentId: program.environmentId,
  programId: program.id,
  spaceId: program.spaceId ?? '',
  workbookId: program.workbookId ?? '',
  sheetId: program.sheetId ?? program.sourceSheetId ?? '',
  ...(program.jobId ? { jobId: program.jobId } : {}),
})

/** Writes a new program and tells of it. */
export function insertProgram(tx: Tx, program: NewProgram): void {
  tx.write(Programs.create(program))
  tx.emit(programs.created, programContext(program), {}, { namespaces: program.namespaces })
}

/** As clients see it. */
export const shownProgram = (program: Omit<NewProgram, 'id'> & { id?: string }): Program => ({
  ...program,
  sourceKeys: program.source.fields.map(({ key }) => key),
  destinationKeys: program.destination.fields.map(({ key }) => key),
})
