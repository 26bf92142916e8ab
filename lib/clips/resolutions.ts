import { createHash } from 'node:crypto'
import type { Resolve } from '../../schemas/clips/endpoints.ts'
import type { StoredClip } from '../entities/clips.ts'
import * as engine from '../records/index.ts'

/** For a removed record `ignore` or `restore`, for an added one `clip` or `main`, for a cell the first three. */
export type Choice = 'clip' | 'main' | 'snapshot' | 'ignore' | 'restore'

export interface Decision {
  to: Choice
  by: string
  at: string
  /** Hash of the compared values; the decision is valid only while they are unchanged. */
  of: string
}
export type Decisions = { [recordId: string]: { [field: string]: Decision } }

export const WHOLE_RECORD = ''

export interface Item {
  field: string
  to: Choice | undefined
  /** Computed on demand, because there may be a million items. */
  getHash: () => string
  versions: { base: string; copy: string; source: string | null } | undefined
}

const hashValues = (...texts: (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 10)

export const loadDecisions = async ({ clipSheetId, decisionsId }: StoredClip): Promise<Decisions> =>
  decisionsId === undefined ? {} : ((await engine.loadContext(clipSheetId, decisionsId)) as Decisions)

export const storeDecisions = ({ clipSheetId }: StoredClip, decisions: Decisions): Promise<string> =>
  engine.storeContext(clipSheetId, decisions)

export function listItems(difference: engine.Difference, decisions: Decisions): Item[] {
  const recordDecisions = decisions[difference.id] ?? {}
  const findDecision = (field: string, getHash: () => string): Choice | undefined =>
    recordDecisions[field] && recordDecisions[field].of === getHash() ? recordDecisions[field].to : undefined
  const { kind, cells } = difference
  if (kind === 'changed')
    return [...cells].map(([field, versions]) => {
      const { base, copy, source } = versions
      const getHash = () => hashValues(copy, source)
      return { field, versions, getHash, to: findDecision(field, getHash) ?? (source === base ? 'clip' : undefined) }
    })
  const getHash = () => hashValues(kind, ...[...cells].flatMap(([field, { copy }]) => [field, copy]))
  const defaultChoice = kind === 'added' ? 'clip' : cells.size === 0 ? 'ignore' : undefined
  return [
    { field: WHOLE_RECORD, versions: undefined, getHash, to: findDecision(WHOLE_RECORD, getHash) ?? defaultChoice },
  ]
}

export function serializeResolve({ field, to, versions }: Item): Resolve {
  return {
    ...(field === WHOLE_RECORD ? {} : { field }),
    type: to === undefined ? 'conflict' : 'resolve',
    ...(to === 'ignore' || to === 'restore' ? { removedFromMainResolution: to } : to ? { resolveTo: to } : {}),
    ...(versions ? { clip_value_reference: versions.copy } : {}),
    ...(versions?.source == null ? {} : { main_value_reference: versions.source }),
  }
}

export function toMergeDecision(items: readonly Item[]): engine.MergeDecision | undefined {
  const cells = new Map<string, string>()
  for (const { field, to, versions } of items) {
    if (!versions) return to === 'restore' || to === 'clip' ? { add: true } : undefined
    if (to === 'clip') cells.set(field, versions.copy)
    if (to === 'snapshot') cells.set(field, versions.base)
  }
  return { cells }
}

export function filterValidDecisions(decisions: Decisions, differences: readonly engine.Difference[]): Decisions {
  const valid: Decisions = {}
  for (const difference of differences) {
    const recordDecisions = decisions[difference.id]
    const validItems =
      recordDecisions &&
      listItems(difference, {}).filter(
        ({ field, getHash }) => recordDecisions[field] && recordDecisions[field].of === getHash(),
      )
    if (validItems?.length)
      valid[difference.id] = Object.fromEntries(validItems.map(({ field }) => [field, recordDecisions![field]!]))
  }
  return valid
}

export const countDecisions = (decisions: Decisions): number =>
  Object.values(decisions).reduce((sum, fields) => sum + Object.keys(fields).length, 0)
