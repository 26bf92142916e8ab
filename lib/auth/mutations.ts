/** Who may have code of its own run over records of a space. */
import type { GuestSettings } from '../../schemas/spaces.ts'
import { forbidden } from '../core/errors.ts'
import { Spaces } from '../entities/spaces.ts'
import { may, type Placed, type Principal } from './principal.ts'

/** Jobs of these types and this operation run code, unless a listener performs them. */
const OPERATION = 'mutate-records'
const TYPES: readonly string[] = ['workbook', 'sheet']

/** @throws ApiError forbidden for a job that would run code, where the caller may not have it run */
export async function assertMayRunJob(
  caller: Principal,
  { type, operation }: { type: string; operation: string },
  place: Omit<Placed, 'accountId'>,
): Promise<void> {
  if (operation === OPERATION && TYPES.includes(type)) await assertMayRunMutations(caller, place)
}

/** @throws ApiError forbidden */
export async function assertMayRunMutations(caller: Principal, place: Omit<Placed, 'accountId'>): Promise<void> {
  if (may(caller, 'mutations:run', { ...place, accountId: caller.accountId })) return
  if (await isGuestWhoMay(caller, place)) return
  throw forbidden(
    'This token may not do mutations:run. Administrators, secret keys and agents may, and guests of a space whose settings have guestsRunMutations: true.',
  )
}

/** One who came by a clip's public link has an address that is not proven. */
async function isGuestWhoMay({ grants, clipId }: Principal, { spaceId }: Omit<Placed, 'accountId'>): Promise<boolean> {
  if (spaceId === undefined || clipId !== undefined || !grants?.some(({ id }) => id === spaceId)) return false
  return letsGuests((await Spaces.get(spaceId))?.settings)
}

const letsGuests = (settings: GuestSettings | undefined): boolean => settings?.guestsRunMutations === true

/**
 * Only who may run mutations may let guests do so: a publishable key creates spaces with settings, too.
 * @throws ApiError forbidden
 */
export function assertMayLetGuests(
  caller: Principal,
  place: Omit<Placed, 'accountId'>,
  after: GuestSettings | undefined,
  before?: GuestSettings,
): void {
  if (!letsGuests(after) || letsGuests(before)) return
  if (!may(caller, 'mutations:run', { ...place, accountId: caller.accountId }))
    throw forbidden('This token may not do mutations:run, and so may not set settings.guestsRunMutations.')
}
