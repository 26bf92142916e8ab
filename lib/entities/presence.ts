/** Presence of people in a space. Clients report regularly; a report expires. */
import { PRESENCE_SECONDS, type Present } from '../../schemas/spaces/presence.ts'
import { addMember, listMembers, removeMember } from '../table/sets.ts'
import type { Tx } from '../tx.ts'

const buildSetName = (spaceId: string): string => `presence#${spaceId}`

export function reportPresence(tx: Tx, spaceId: string, { actorId, name, sheetId }: Omit<Present, 'at'>): Present {
  const attributes = { name, at: tx.now, ...(sheetId === undefined ? {} : { sheetId }) }
  const expires = Math.floor(Date.parse(tx.now) / 1000) + PRESENCE_SECONDS
  tx.write(addMember(buildSetName(spaceId), actorId, attributes, expires))
  return { actorId, ...attributes }
}

export const endPresence = (tx: Tx, spaceId: string, actorId: string): void =>
  tx.write(removeMember(buildSetName(spaceId), actorId))

export async function listPresent(spaceId: string, now: string): Promise<Present[]> {
  const since = new Date(Date.parse(now) - PRESENCE_SECONDS * 1000).toISOString()
  const present: Present[] = []
  for await (const members of listMembers(buildSetName(spaceId)))
    for (const { member, attributes } of members)
      if (attributes.at! > since) present.push({ actorId: member, ...attributes } as Present)
  return present
}
