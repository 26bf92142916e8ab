/**
 * What somebody accepted for sheets of one name, in one environment: which source names filled which field, and what their
 * values became. One item for each of them; of an account alone.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Id, Time } from '../../schemas/ids.ts'
import { EnumValue } from '../../schemas/mapping.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'
import { packFitting, unpack } from './packed.ts'

const Arrow = z.object({
  /** The destination field's key. */
  field: z.string(),
  /** The source field's name as names are compared. */
  source: z.string(),
  count: z.number().int(),
  at: Time,
  /** Where it was accepted last. */
  spaceId: Id.optional(),
})
export type Arrow = z.infer<typeof Arrow>

const Translation = z.object({ field: z.string(), from: z.string(), to: EnumValue, at: Time })

const Memory = z.object({ arrows: z.array(Arrow), translations: z.array(Translation) })
export type Memory = z.infer<typeof Memory>

const Shape = z.object({
  id: z.string(),
  accountId: Id,
  environmentId: Id,
  /** The sheet's slug or name, as names are compared. */
  destination: z.string(),
  actorId: Id,
  packed: z.string(),
  updatedAt: Time,
})
const stored = entity({
  name: 'mapping-memory',
  shape: Shape,
  by: {
    inEnvironment: { index: 'gsi1', of: ['environmentId'] },
    ofSheets: { index: 'gsi2', of: ['accountId', 'destination'] },
  },
})
export type StoredMemory = Stored<typeof Shape>

/** Whose memory of what. */
export type Remembering = Pick<z.infer<typeof Shape>, 'accountId' | 'environmentId' | 'destination' | 'actorId'>

const idOf = ({ environmentId, destination, actorId }: Remembering): string =>
  createHash('sha256')
    .update(JSON.stringify([environmentId, destination, actorId]))
    .digest('base64url')

/** The oldest are forgotten when all of it does not fit. */
const newerHalf = ({ arrows, translations }: Memory): Memory => ({
  arrows: arrows.slice(Math.ceil(arrows.length / 2)),
  translations: translations.slice(Math.ceil(translations.length / 2)),
})

export const MappingMemories = {
  /** What all of the account accepted for sheets of that name, with where. */
  async ofSheets(accountId: string, destination: string): Promise<(Memory & { environmentId: string })[]> {
    const found = await stored.list('ofSheets', { accountId, destination })
    return found.map(({ environmentId, packed }) => ({ environmentId, ...Memory.parse(unpack(packed)) }))
  },
  inEnvironment: (environmentId: string): Promise<StoredMemory[]> => stored.list('inEnvironment', { environmentId }),
  remove: stored.remove,
  /** Writes what `change` makes of what is remembered; conditional on what was read. */
  async change(whose: Remembering, at: string, change: (before: Memory) => Memory): Promise<Write> {
    const id = idOf(whose)
    const before = await stored.get(id)
    const after = change(before ? Memory.parse(unpack(before.packed)) : { arrows: [], translations: [] })
    const item = { ...whose, id, updatedAt: at, packed: packFitting(after, newerHalf) }
    return before ? stored.replace(before, item) : stored.create(item)
  },
}
