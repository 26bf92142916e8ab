import * as z from 'zod'
import { Actions } from '../actions/shape.ts'
import { AnyObject } from '../kit/any-object.ts'
import { Id, Time } from '../kit/ids.ts'

const SpaceBranding = z.object({
  primaryColor: z.string().optional(),
  logo: z.string().optional(),
  welcomeText: z.string().optional(),
})
export type SpaceBranding = z.infer<typeof SpaceBranding>

export const Space = z.object({
  id: Id,
  environmentId: Id,
  name: z.string(),
  primaryWorkbookId: Id.optional(),
  metadata: z.unknown().optional(),
  settings: AnyObject.optional(),
  /** Read from the metadata of the space, and of the environment where the space has none. Only when reading one space. */
  branding: SpaceBranding.optional(),
  actions: Actions.optional(),
  access: z.array(z.string()).optional(),
  autoConfigure: z.boolean().optional(),
  namespace: z.string().optional(),
  labels: z.array(z.string()).optional(),
  translationsPath: z.string().optional(),
  languageOverride: z.string().optional(),
  appId: z.string().optional(),
  /** True if the space's app has the type `PROJECTS`. Computed, not stored. */
  isCollaborative: z.boolean().optional(),
  externalActorId: z.string().optional(),
  spaceConfigId: z.string().optional(),
  isAppTemplate: z.boolean().optional(),
  displayOrder: z.number().optional(),
  guestAuthentication: z.enum(['shared_link', 'magic_link']),
  inheritsGuestAuthentication: z.boolean().optional(),
  mayInviteGuests: z.boolean().optional(),
  createdByUserId: Id.optional(),
  archivedAt: Time.optional(),
  expiredAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
  workbooksCount: z.number().int().optional(),
  filesCount: z.number().int().optional(),
  createdByUserName: z.string().optional(),
  lastActivityAt: Time.optional(),
  /** Only in the reply to a publishable key; valid for this space, 24 hours. */
  accessToken: z.string().optional(),
  guestLink: z.string().optional(),
})
export type Space = z.infer<typeof Space>

export const SPACE_SORTS = [
  'name',
  'environmentId',
  'createdAt',
  'updatedAt',
  'workbooksCount',
  'filesCount',
  'createdByUserName',
  'lastActivityAt',
] as const
