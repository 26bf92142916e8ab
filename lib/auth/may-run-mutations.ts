/** Decides who may run custom code over the records of a space. */
import { message } from '../../schemas/messages/index.ts'
import type { GuestSettings } from '../../schemas/spaces/endpoints.ts'
import { forbidden } from '../core/errors.ts'
import { Spaces } from '../entities/spaces.ts'
import { may, type Principal, type ResourceLocation } from './principal.ts'

/** These jobs run code, unless a listener handles them. */
const MUTATE_OPERATION = 'mutate-records'
const JOB_TYPES: readonly string[] = ['workbook', 'sheet']

export async function assertMayRunJob(
  caller: Principal,
  { type, operation }: { type: string; operation: string },
  location: Omit<ResourceLocation, 'accountId'>,
): Promise<void> {
  if (operation === MUTATE_OPERATION && JOB_TYPES.includes(type)) await assertMayRunMutations(caller, location)
}

export async function assertMayRunMutations(
  caller: Principal,
  location: Omit<ResourceLocation, 'accountId'>,
): Promise<void> {
  if (may(caller, 'mutations:run', { ...location, accountId: caller.accountId })) return
  if (await isAllowedGuest(caller, location)) return
  throw forbidden(message('access.cannotRunMutations'))
}

/** A clip's public link does not verify the address. */
async function isAllowedGuest(
  { grants, clipId }: Principal,
  { spaceId }: Omit<ResourceLocation, 'accountId'>,
): Promise<boolean> {
  if (spaceId === undefined || clipId !== undefined || !grants?.some(({ id }) => id === spaceId)) return false
  return allowsGuests((await Spaces.get(spaceId))?.settings)
}

const allowsGuests = (settings: GuestSettings | undefined): boolean => settings?.guestsRunMutations === true

/** Publishable keys create spaces with settings, so callers can grant only what they have themselves. */
export function assertMayAllowGuests(
  caller: Principal,
  location: Omit<ResourceLocation, 'accountId'>,
  after: GuestSettings | undefined,
  before?: GuestSettings,
): void {
  if (!allowsGuests(after) || allowsGuests(before)) return
  if (!may(caller, 'mutations:run', { ...location, accountId: caller.accountId }))
    throw forbidden(message('access.cannotAllowMutations'))
}
