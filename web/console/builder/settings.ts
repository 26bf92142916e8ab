import type { Branding } from '../../shared/branding.ts'

export interface SpaceSettings extends Branding {
  name: string
  guestAuthentication: '' | 'shared_link' | 'magic_link'
  /** New spaces get the workbook, too. */
  isDefault: boolean
}
