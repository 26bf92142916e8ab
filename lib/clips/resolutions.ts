/** What merging a clip will do about each difference: as a rule says, or as somebody decided. Pure but for where decisions are kept. */
import { createHash } from 'node:crypto'
import type { Resolve } from '../../schemas/clips.ts'
import type { StoredClip } from '../entities/clips.ts'
import * as engine from '../records/index.ts'

/** For a cell a value, for a record made in the clip `clip` or `main`, for one gone from the source the last two. */
export type Choice = 'clip' | 'main' | 'snapshot' | 'ignore' | 'restore'

export interface Decision {
  to: Choice
  by: string
  /** ISO-8601. */
  at: string
  /** Of the values it was made on: it holds as long as they do. */
  of: string
}
/** By record of the clip, then by field; '' for the record itself. */
export type Decisions = { [recordId: string]: { [field: string]: Decision } }

/** Of a record as a whole. */
export const WHOLE = ''

/** One thing to be decided on. */
export interface Item {
  /** Or {@link WHOLE}. */
  field: string
  /** What is done; undefined for a conflict. */
  to: Choice | undefined
  /** Names the values: made when asked for, there may be a million. */
  of: () => string
  versions: { base: string; copy: string; source: string | null } | undefined
}

const nameOf = (...texts: (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 10)

export const keptDecisions = async ({ clipSheetId, decisionsId }: StoredClip): Promise<Decisions> =>
  decisionsId === undefined ? {} : ((await engine.kept(clipSheetId, decisionsId)) as Decisions)

export const keepDecisions = ({ clipSheetId }: StoredClip, decisions: Decisions): Promise<string> =>
  engine.keep(clipSheetId, decisions)

export function itemsOf(difference: engine.Difference, decisions: Decisions): Item[] {
  const own = decisions[difference.id] ?? {}
  const decided = (field: string, of: () => string): Choice | undefined =>
    own[field] && own[field].of === of() ? own[field].to : undefined
  const { kind, cells } = difference
  if (kind === 'changed')
    return [...cells].map(([field, versions]) => {
      const { base, copy, source } = versions
      const of = () => nameOf(copy, source)
      return { field, versions, of, to: decided(field, of) ?? (source === base ? 'clip' : undefined) }
    })
  const of = () => nameOf(kind, ...[...cells].flatMap(([field, { copy }]) => [field, copy]))
  const usual = kind === 'added' ? 'clip' : cells.size === 0 ? 'ignore' : undefined
  return [{ field: WHOLE, versions: undefined, of, to: decided(WHOLE, of) ?? usual }]
}

/** As clients read it. */
export function shownResolve({ field, to, versions }: Item): Resolve {
  return {
    ...(field === WHOLE ? {} : { field }),
    type: to === undefined ? 'conflict' : 'resolve',
    ...(to === 'ignore' || to === 'restore' ? { removedFromMainResolution: to } : to ? { resolveTo: to } : {}),
    ...(versions ? { clip_value_reference: versions.copy } : {}),
    ...(versions?.source == null ? {} : { main_value_reference: versions.source }),
  }
}

/** What the engine is to do, once nothing is a conflict any more. */
export function verdictOf(items: readonly Item[]): engine.Verdict | undefined {
  const cells = new Map<string, string>()
  for (const { field, to, versions } of items) {
    if (!versions) return to === 'restore' || to === 'clip' ? { add: true } : undefined
    if (to === 'clip') cells.set(field, versions.copy)
    if (to === 'snapshot') cells.set(field, versions.base)
  }
  return { cells }
}

/** Decisions whose values are still those they were made on. */
export function stillHolding(decisions: Decisions, differences: readonly engine.Difference[]): Decisions {
  const holding: Decisions = {}
  for (const difference of differences) {
    const own = decisions[difference.id]
    const kept = own && itemsOf(difference, {}).filter(({ field, of }) => own[field] && own[field].of === of())
    if (kept?.length) holding[difference.id] = Object.fromEntries(kept.map(({ field }) => [field, own![field]!]))
  }
  return holding
}

export const countOf = (decisions: Decisions): number =>
  Object.values(decisions).reduce((sum, fields) => sum + Object.keys(fields).length, 0)
