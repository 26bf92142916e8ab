/** Spaces as they are kept and shown; their endpoints are in spaces.ts. */
import * as z from 'zod'
import { Actions } from './action.ts'
import { Id, Time } from './ids.ts'

export const Space = z.object({
  id: Id,
  environmentId: Id,
  name: z.string(),
  primaryWorkbookId: Id.optional(),
  metadata: z.unknown().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  actions: Actions.optional(),
  access: z.array(z.string()).optional(),
  autoConfigure: z.boolean().optional(),
  namespace: z.string().optional(),
  labels: z.array(z.string()).optional(),
  translationsPath: z.string().optional(),
  languageOverride: z.string().optional(),
  appId: z.string().optional(),
  /** A project several people work on: its app is of the type `PROJECTS`. Told in answers, kept nowhere. */
  isCollaborative: z.boolean().optional(),
  /** Who is at the page that embeds it, as that page calls them. */
  externalActorId: z.string().optional(),
  /** Which configuration it is to have, as the client that made it calls it: for the listener that configures it. */
  spaceConfigId: z.string().optional(),
  isAppTemplate: z.boolean().optional(),
  displayOrder: z.number().optional(),
  /** The space's own, or else the one its environment has now. */
  guestAuthentication: z.enum(['shared_link', 'magic_link']),
  /** Whether it is the environment's. */
  inheritsGuestAuthentication: z.boolean().optional(),
  /** In answers about one space: whether the caller may invite guests to the whole of it. */
  mayInviteGuests: z.boolean().optional(),
  createdByUserId: Id.optional(),
  archivedAt: Time.optional(),
  /** A retention policy hid it; it is removed in a while. */
  expiredAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
  /** How much it holds, by whom it was made and when something last happened in it: where one space is read, and in lists sorted by it. */
  workbooksCount: z.number().int().optional(),
  filesCount: z.number().int().optional(),
  createdByUserName: z.string().optional(),
  lastActivityAt: Time.optional(),
  /** In the answer to a publishable key only: works in this one space, 24 hours. */
  accessToken: z.string().optional(),
  /** For those who may change the space: the link its guests share, or the page where they ask for a magic link. */
  guestLink: z.string().optional(),
})
export type Space = z.infer<typeof Space>
