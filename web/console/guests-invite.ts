/** Whether guests may invite others: `sidebarConfig.showGuestInvite` in the metadata of an environment or a space. */
import type { Speech } from '../shared/texts/texts.tsx'
import type { FormField } from './parts.tsx'

type Sidebar = { sidebarConfig?: Record<string, unknown> }

/** What the metadata says; undefined where they say nothing. */
export function invites(metadata: unknown): boolean | undefined {
  const said = (metadata as Sidebar | null | undefined)?.sidebarConfig?.showGuestInvite
  return typeof said === 'boolean' ? said : undefined
}

/** The metadata with the choice of the field; without one they say nothing. */
export function withInvites(metadata: unknown, choice: string | undefined): Record<string, unknown> {
  const { sidebarConfig, ...rest } = (metadata ?? {}) as Sidebar
  const { showGuestInvite: _, ...others } = sidebarConfig ?? {}
  const sidebar = choice ? { ...others, showGuestInvite: choice === 'true' } : others
  return Object.keys(sidebar).length > 0 ? { ...rest, sidebarConfig: sidebar } : rest
}

/** @param inherits whether the environment may decide */
export const guestsInviteField = (t: Speech['t'], initial: boolean | undefined, inherits = false): FormField => ({
  name: 'guestsInvite',
  label: t('guestsInvite'),
  optional: inherits,
  initial: initial === undefined ? '' : String(initial),
  options: [
    ...(inherits ? [{ value: '', label: t('asEnvironment') }] : []),
    { value: 'true', label: t('guestsMayInvite') },
    { value: 'false', label: t('guestsMayNotInvite') },
  ],
})
