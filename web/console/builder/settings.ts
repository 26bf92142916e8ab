import type { Branding } from '../../shared/branding.ts'

export interface SpaceSettings extends Branding {
  name: string
  guestAuthentication: '' | 'shared_link' | 'magic_link'
  isDefault: boolean
}
