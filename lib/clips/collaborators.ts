/** Who works on a clip: guests are given its workbook, and lose it, in the transaction that says so on the clip. */
import * as clips from '../../schemas/clips.ts'
import type { GuestSpace } from '../../schemas/guest.ts'
import { Email } from '../../schemas/guests.ts'
import { addGuest, changeGuest } from '../auth/guests.ts'
import { invalid } from '../core/errors.ts'
import { kindOf } from '../core/ids.ts'
import { Clips, clipContext, type NewClip } from '../entities/clips.ts'
import { Guests, type NewGuest, type StoredGuest, without } from '../entities/guests.ts'
import { Users } from '../entities/users.ts'
import { type Actor, begin, type Tx } from '../tx.ts'

type Place = Pick<NewClip, 'accountId' | 'environmentId' | 'spaceId' | 'workbookId'>

/** Somebody named as a collaborator: there already, or a guest to be. */
type Named = { id: string; guest?: StoredGuest } | { id: undefined; email: string }

/**
 * Gives the clip to these and takes it from all others.
 * @param names e-mail addresses and ids, as a client names collaborators
 * @returns the collaborators' ids
 * @throws ApiError invalid naming whom it does not know
 */
export async function setCollaborators(tx: Tx, clip: NewClip, names: readonly string[]): Promise<string[]> {
  const named = await namedOnce(clip, names)
  const stay = new Set(clip.collaborators)
  const ids: string[] = []
  for (const one of named) {
    if (one.id !== undefined && (stay.has(one.id) || !one.guest)) ids.push(one.id)
    else ids.push((await give(tx, clip, one)).id)
  }
  const added = ids.filter((id) => !stay.has(id))
  const removed = clip.collaborators.filter((id) => !ids.includes(id))
  for (const id of removed) await take(tx, clip, id)
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

async function namedOnce(place: Place, names: readonly string[]): Promise<Named[]> {
  const found = await Promise.all(names.map((name) => known(place, name)))
  const problems = found.flatMap((one, i) =>
    one ? [] : [{ key: `collaborators.${i}`, message: `${names[i]} is no e-mail address and nobody's id here` }],
  )
  if (problems.length > 0) throw invalid(problems)
  const once = new Map(found.map((one) => [one!.id ?? (one as { email: string }).email, one!]))
  return [...once.values()]
}

async function known({ accountId, environmentId }: Place, name: string): Promise<Named | undefined> {
  if (kindOf(name) === 'user') {
    const user = await Users.get(name)
    return user?.accountId === accountId ? { id: user.id } : undefined
  }
  if (kindOf(name) === 'guest') {
    const guest = await Guests.get(name)
    return guest?.environmentId === environmentId ? { id: guest.id, guest } : undefined
  }
  const { data: email } = Email.safeParse(name)
  if (email === undefined) return undefined
  const guest = await Guests.byEmail(environmentId, email)
  return guest ? { id: guest.id, guest } : { id: undefined, email }
}

function give(tx: Tx, { environmentId, spaceId, workbookId }: Place, one: Named): Promise<NewGuest> {
  const { email, name } =
    one.id === undefined ? { email: one.email, name: one.email.slice(0, one.email.indexOf('@')) } : one.guest!
  const grant = { id: spaceId, workbooks: [{ id: workbookId }], sheets: undefined }
  return addGuest(tx, { environmentId, email, name, spaces: [grant] })
}

/** Of a guest who has more of the space, only the clip is taken. */
export async function take(tx: Tx, { spaceId, workbookId }: Place, id: string): Promise<void> {
  const guest = kindOf(id) === 'guest' ? await Guests.get(id) : undefined
  if (!guest?.spaces.some((space) => space.workbooks?.some((workbook) => workbook.id === workbookId))) return
  const spaces = guest.spaces.flatMap((space) => (space.id === spaceId ? withoutPart(space, workbookId) : [space]))
  await changeGuest(tx, guest, { ...guest, spaces })
}

/** Without its last part a grant is gone: one of no parts would be of the whole space. */
function withoutPart({ workbooks = [], ...rest }: GuestSpace, workbookId: string): GuestSpace[] {
  const left = without(workbooks, [{ id: workbookId }])
  if (left.length > 0) return [{ ...rest, workbooks: left }]
  return rest.sheets?.length ? [rest] : []
}

/** Takes the guest off the clips of an environment, or of one space, each in a transaction: there may be more than one holds. */
export async function leaveClips(actor: Actor, { id, environmentId }: NewGuest, spaceId?: string): Promise<void> {
  const clips = await Clips.inEnvironment(environmentId)
  for (const clip of clips) {
    if (!clip.collaborators.includes(id) || (spaceId !== undefined && clip.spaceId !== spaceId)) continue
    const tx = begin(actor)
    const left = clip.collaborators.filter((collaborator) => collaborator !== id)
    const after = { ...clip, collaborators: await setCollaborators(tx, clip, left), updatedAt: tx.now }
    tx.write(Clips.replace(clip, after))
    await tx.commit()
  }
}
