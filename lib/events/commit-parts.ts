/** Parts of large commits. Smaller ones, for agents, are not stored: their ids name the event, parts and part. */
import type * as z from 'zod'
import * as commits from '../../schemas/commits/events.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { MAX_RECORDS_PER_CALL } from '../../schemas/records/limits.ts'
import { buildCallbackUrl } from './envelope.ts'

export interface CommitPart {
  recordCount: number
  part: number
  parts: number
}

export function* listParts(recordCount: number, size = MAX_RECORDS_PER_CALL): Generator<CommitPart> {
  const parts = Math.ceil(recordCount / size)
  for (let part = 1; part <= parts; part++) yield { recordCount, part, parts }
}

export function buildDataUrl(
  sheetId: string,
  { commitId, event, part: { part, parts, recordCount } }: { commitId?: string; event: string; part: CommitPart },
): string {
  const query = [
    ...(commitId ? [`commitId=${commitId}`] : []),
    'includeMessages=true&includeLinks=true',
    ...(parts === 1
      ? []
      : [commitId ? `part=${part}&parts=${parts}` : `pageSize=${Math.ceil(recordCount / parts)}&pageNumber=${part}`]),
    `for=${event}`,
  ]
  return `v1/sheets/${sheetId}/records?${query.join('&')}`
}

const PART_ID = /^(.+)\.(\d{1,7})\.(\d{1,7})$/

export interface PartId {
  eventId: string
  part: number
  parts: number
}

export function parsePartId(id: string): PartId | undefined {
  const match = PART_ID.exec(id)
  return match ? { eventId: match[1]!, part: Number(match[3]), parts: Number(match[2]) } : undefined
}

export function splitEvent(event: Event, size: number | undefined): Event[] {
  const whole = parseCommitPart(event)
  if (!whole || !size || parsePartId(event.id)) return [event]
  const parts = [...listParts(whole.recordCount, size)]
  return parts.length === whole.parts
    ? [event]
    : parts.filter((part) => startsIn(part, whole)).map((part) => buildPartEvent(event, part))
}

export function findPartEvent<E extends Event>(event: E, { part, parts }: PartId): E | undefined {
  const whole = parseCommitPart(event)
  if (!whole || part < 1 || part > parts || parts > whole.recordCount) return undefined
  const partOfCommit = { recordCount: whole.recordCount, part, parts }
  return startsIn(partOfCommit, whole) ? buildPartEvent(event, partOfCommit) : undefined
}

export function parseCommitPart({
  topic,
  payload,
}: Pick<Event, 'topic' | 'payload'>): z.infer<typeof commits.created.payload> | undefined {
  if (topic !== commits.created.topic) return undefined
  return commits.created.payload.safeParse(payload).data
}

function startsIn({ part, parts, recordCount }: CommitPart, whole: CommitPart): boolean {
  const first = Math.floor((recordCount * (part - 1)) / parts)
  const getStart = (number: number) => Math.floor((recordCount * (number - 1)) / whole.parts)
  return first >= getStart(whole.part) && first < getStart(whole.part + 1)
}

function buildPartEvent<E extends Event>(event: E, part: CommitPart): E {
  const id = `${event.id}.${part.parts}.${part.part}`
  const { sheetId, commitId } = event.context
  const isOfCommit = new URLSearchParams(event.dataUrl?.split('?')[1]).has('commitId')
  return {
    ...event,
    id,
    payload: { ...(event.payload as object), part: part.part, parts: part.parts },
    dataUrl: buildDataUrl(String(sheetId), { event: id, part, ...(isOfCommit && commitId ? { commitId } : {}) }),
    callbackUrl: buildCallbackUrl(id),
  }
}
