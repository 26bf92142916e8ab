/** The audit log, listed by account; each entry is written in the transaction it describes and never changed. */
import { AuditEntry } from '../../schemas/auth/audit-entry.ts'
import { MINUTE_MS } from '../../schemas/kit/time.ts'
import { newId } from '../core/ids.ts'
import { firstIdAt } from '../events/id-time.ts'
import { entity } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { redactSecrets } from './redact.ts'

const stored = entity({
  name: 'audit',
  shape: AuditEntry,
  by: { inAccount: { index: 'gsi1', of: ['accountId'] } },
})

const MAX_VALUE_BYTES = 50_000

export type NewEntry = Omit<AuditEntry, 'id' | 'accountId' | 'createdAt' | 'actorId'>

export interface AuditFilter {
  actorId?: string | undefined
  action?: string | undefined
  resourceId?: string | undefined
  since?: string | undefined
  until?: string | undefined
  before?: string | undefined
}

/** An entry's id is created at the end of its request but its time is the start; no request takes longer than this. */
const MAX_REQUEST_MS = MINUTE_MS
const READ_BATCH_SIZE = 200

export const AuditLog = {
  add(tx: Tx, { before, after, resources, ...entry }: NewEntry): void {
    tx.write(
      stored.create({
        ...entry,
        ...tx.actor,
        id: newId('auditEntry'),
        createdAt: tx.now,
        resources: [...new Set(resources)],
        ...(before === undefined ? {} : { before: toLoggedValue(before) }),
        ...(after === undefined ? {} : { after: toLoggedValue(after) }),
      }),
    )
  },
  async page(accountId: string, filter: AuditFilter, pageSize: number): Promise<{ data: AuditEntry[]; next?: string }> {
    const found: AuditEntry[] = []
    const since = filter.since === undefined ? -Infinity : Date.parse(filter.since)
    const until = filter.until === undefined ? Infinity : Date.parse(filter.until)
    const newest = filter.until && firstIdAt(new Date(until + MAX_REQUEST_MS), 'auditEntry')
    let after = [newest, filter.before].filter((id) => id !== undefined).sort()[0]
    for (;;) {
      const batch = await stored.list(
        'inAccount',
        { accountId },
        { order: 'desc', limit: READ_BATCH_SIZE, ...(after ? { after } : {}) },
      )
      for (const entry of batch) {
        const time = Date.parse(entry.createdAt)
        if (time < since - MAX_REQUEST_MS) return { data: found }
        if (time < since || time > until || !matchesFilter(entry, filter)) continue
        if (found.length === pageSize) return { data: found, next: found.at(-1)!.id }
        found.push(entry)
      }
      if (batch.length < READ_BATCH_SIZE) return { data: found }
      after = batch.at(-1)!.id
    }
  },
}

const matchesFilter = (entry: AuditEntry, { actorId, action, resourceId }: AuditFilter): boolean =>
  (actorId === undefined || entry.actorId === actorId) &&
  (action === undefined || entry.action === action) &&
  (resourceId === undefined || entry.resources.includes(resourceId))

function toLoggedValue(value: unknown): unknown {
  const safe = redactSecrets(value)
  return JSON.stringify(safe).length <= MAX_VALUE_BYTES ? safe : { tooLarge: true }
}
