/** The stored audit log, listed by account; written with what it tells of, and never changed. */
import { AuditEntry } from '../../schemas/audit-entry.ts'
import { newId } from '../core/ids.ts'
import { firstIdAt } from '../events/ids.ts'
import { entity } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { withoutSecrets } from './without-secrets.ts'

const stored = entity({
  name: 'audit',
  shape: AuditEntry,
  by: { inAccount: { index: 'gsi1', of: ['accountId'] } },
})

/** Things larger than this are named by their ids alone. */
const SHOWN_BYTES = 50_000

export type NewEntry = Omit<AuditEntry, 'id' | 'accountId' | 'createdAt' | 'actorId'>

export interface AuditFilter {
  actorId?: string | undefined
  action?: string | undefined
  resourceId?: string | undefined
  /** ISO-8601. */
  since?: string | undefined
  until?: string | undefined
  /** Only what is older than this entry. */
  before?: string | undefined
}

/** An entry's id is made at the end of its request, its time is of the beginning: no request takes longer. */
const LATE_MS = 60_000
/** Entries read at once. */
const READ = 200

export const AuditLog = {
  /** Writes the entry in the unit of work it is about, by its actor. */
  add(tx: Tx, { before, after, resources, ...entry }: NewEntry): void {
    tx.write(
      stored.create({
        ...entry,
        ...tx.actor,
        id: newId('auditEntry'),
        createdAt: tx.now,
        resources: [...new Set(resources)],
        ...(before === undefined ? {} : { before: shown(before) }),
        ...(after === undefined ? {} : { after: shown(after) }),
      }),
    )
  },
  /** Entries of the account that fit, newest first; `next` where there are more. */
  async page(accountId: string, filter: AuditFilter, pageSize: number): Promise<{ data: AuditEntry[]; next?: string }> {
    const found: AuditEntry[] = []
    const since = filter.since === undefined ? -Infinity : Date.parse(filter.since)
    const until = filter.until === undefined ? Infinity : Date.parse(filter.until)
    const newest = filter.until && firstIdAt(new Date(until + LATE_MS), 'auditEntry')
    let after = [newest, filter.before].filter((id) => id !== undefined).sort()[0]
    for (;;) {
      const read = await stored.list(
        'inAccount',
        { accountId },
        { order: 'desc', limit: READ, ...(after ? { after } : {}) },
      )
      for (const entry of read) {
        const time = Date.parse(entry.createdAt)
        if (time < since - LATE_MS) return { data: found }
        if (time < since || time > until || !fits(entry, filter)) continue
        if (found.length === pageSize) return { data: found, next: found.at(-1)!.id }
        found.push(entry)
      }
      if (read.length < READ) return { data: found }
      after = read.at(-1)!.id
    }
  },
}

const fits = (entry: AuditEntry, { actorId, action, resourceId }: AuditFilter): boolean =>
  (actorId === undefined || entry.actorId === actorId) &&
  (action === undefined || entry.action === action) &&
  (resourceId === undefined || entry.resources.includes(resourceId))

function shown(value: unknown): unknown {
  const safe = withoutSecrets(value)
  return JSON.stringify(safe).length <= SHOWN_BYTES ? safe : { tooLarge: true }
}
