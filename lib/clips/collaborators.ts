/** Adds and removes collaborators of a clip: guests gain or lose its workbook in the same transaction. */
import * as clips from '../../schemas/clips/events.ts'
import { Email, type GuestSpace } from '../../schemas/guests/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { addGuest, changeGuest } from '../auth/guests.ts'
import { invalid } from '../core/errors.ts'
import { parseKind } from '../core/ids.ts'
import { Clips, clipContext, type NewClip } from '../entities/clips.ts'
import { excludeById, Guests, type NewGuest, type StoredGuest } from '../entities/guests.ts'
import { Users } from '../entities/users.ts'
import { type Actor, begin, type Tx } from '../tx.ts'

type ClipScope = Pick<NewClip, 'accountId' | 'environmentId' | 'spaceId' | 'workbookId'>

type Collaborator = { id: string; guest?: StoredGuest } | { id: undefined; email: string }

/** @param names email addresses and ids @throws ApiError invalid naming every unknown collaborator */
export async function setCollaborators(tx: Tx, clip: NewClip, names: readonly string[]): Promise<string[]> {
  const resolved = await resolveCollaborators(clip, names)
  const currentIds = new Set(clip.collaborators)
  const ids: string[] = []
  for (const collaborator of resolved) {
    if (collaborator.id !== undefined && (currentIds.has(collaborator.id) || !collaborator.guest))
      ids.push(collaborator.id)
    else ids.push((await grantClip(tx, clip, collaborator)).id)
  }
  const added = ids.filter((id) => !currentIds.has(id))
  const removed = clip.collaborators.filter((id) => !ids.includes(id))
  for (const id of removed) await revokeClip(tx, clip, id)
  if (added.length + removed.length > 0)
    tx.emit(
      clips.collaboratorUpdated,
      clipContext(clip),
      {
        dataClipId: clip.id,
        collaborators: ids,
        changes: [
          ...added.map((userId) => ({ action: 'added' as const, userId })),
          ...removed.map((userId) => ({ action: 'removed' as const, userId })),
        ],
      },
      { namespaces: clip.namespaces },
    )
  return ids
}

async function resolveCollaborators(scope: ClipScope, names: readonly string[]): Promise<Collaborator[]> {
  const candidates = await Promise.all(names.map((name) => resolveCollaborator(scope, name)))
  const problems = candidates.flatMap((collaborator, i) =>
    collaborator
      ? []
      : [
          {
            key: `collaborators.${i}`,
            message: message('clips.unknownCollaborator', { name: names[i]! }),
          },
        ],
  )
  if (problems.length > 0) throw invalid(problems)
  const byIdentity = new Map(
    candidates.map((collaborator) => [collaborator!.id ?? (collaborator as { email: string }).email, collaborator!]),
  )
  return [...byIdentity.values()]
}

async function resolveCollaborator(
  { accountId, environmentId }: ClipScope,
  name: string,
): Promise<Collaborator | undefined> {
  if (parseKind(name) === 'user') {
    const user = await Users.get(name)
    return user?.accountId === accountId ? { id: user.id } : undefined
  }
  if (parseKind(name) === 'guest') {
    const guest = await Guests.get(name)
    return guest?.environmentId === environmentId ? { id: guest.id, guest } : undefined
  }
  const { data: email } = Email.safeParse(name)
  if (email === undefined) return undefined
  const guest = await Guests.byEmail(environmentId, email)
  return guest ? { id: guest.id, guest } : { id: undefined, email }
}

function grantClip(
  tx: Tx,
  { environmentId, spaceId, workbookId }: ClipScope,
  collaborator: Collaborator,
): Promise<NewGuest> {
  const { email, name } =
    collaborator.id === undefined
      ? { email: collaborator.email, name: collaborator.email.slice(0, collaborator.email.indexOf('@')) }
      : collaborator.guest!
  const grant = { id: spaceId, workbooks: [{ id: workbookId }], sheets: undefined }
  return addGuest(tx, { environmentId, email, name, spaces: [grant] })
}

/** A guest with further access to the space loses only the clip. */
export async function revokeClip(tx: Tx, { spaceId, workbookId }: ClipScope, id: string): Promise<void> {
  const guest = parseKind(id) === 'guest' ? await Guests.get(id) : undefined
  if (!guest?.spaces.some((space) => space.workbooks?.some((workbook) => workbook.id === workbookId))) return
  const spaces = guest.spaces.flatMap((space) =>
    space.id === spaceId ? removeWorkbookGrant(space, workbookId) : [space],
  )
  await changeGuest(tx, guest, { ...guest, spaces })
}

/** A grant without parts would cover the whole space, so it is removed with its last part. */
function removeWorkbookGrant({ workbooks = [], ...otherAccess }: GuestSpace, workbookId: string): GuestSpace[] {
  const remaining = excludeById(workbooks, [{ id: workbookId }])
  if (remaining.length > 0) return [{ ...otherAccess, workbooks: remaining }]
  return otherAccess.sheets?.length ? [otherAccess] : []
}

/** One transaction per clip, because a guest may have more clips than a transaction can hold. */
export async function removeFromClips(actor: Actor, { id, environmentId }: NewGuest, spaceId?: string): Promise<void> {
  const clips = await Clips.inEnvironment(environmentId)
  for (const clip of clips) {
    if (!clip.collaborators.includes(id) || (spaceId !== undefined && clip.spaceId !== spaceId)) continue
    const tx = begin(actor)
    const remaining = clip.collaborators.filter((collaborator) => collaborator !== id)
    const after = { ...clip, collaborators: await setCollaborators(tx, clip, remaining), updatedAt: tx.now }
    tx.write(Clips.replace(clip, after))
    await tx.commit()
  }
}
