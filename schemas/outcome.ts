/** How a job ended, for people: what they read, and where they go next. */
import * as z from 'zod'
import { free } from './ids.ts'
import { maybe } from './optional.ts'
import { isOwnPath, isWebAddress, ownDownload } from './own-download.ts'

const label = { label: maybe(z.string()) }
const TriggerType = z.enum(['manual', 'automatic', 'automatic_silent'])

const DownloadAddress = z
  .string()
  .refine(
    (address) => isWebAddress(address) || ownDownload(address) !== undefined,
    'must be /v1/files/{fileId}/download, /v1/sheets/{sheetId}/download, or a full https address',
  )

/** A browser would run `javascript:` and open `data:` and `file:`. */
const PageAddress = z
  .string()
  .refine(
    (address) => isWebAddress(address) || isOwnPath(address),
    'must be a full http or https address, or a path that starts with one /',
  )

const shown = free('opened by the browser with the rights of the person who looks at it', z.string())

/** What follows when the outcome was seen. */
export const OutcomeNext = z.discriminatedUnion('type', [
  /** Opens a thing of the platform. */
  z.looseObject({ type: z.literal('id'), id: shown, ...label, path: maybe(z.string()), query: maybe(z.string()) }),
  z.looseObject({ type: z.literal('url'), url: PageAddress, ...label, replace: maybe(z.boolean()) }),
  /** The application fetches the platform's own downloads; it shows any other address as a link. */
  z.looseObject({ type: z.literal('download'), url: DownloadAddress, ...label, fileName: maybe(z.string()) }),
  z.looseObject({
    type: z.literal('files'),
    files: z.array(z.looseObject({ fileId: shown, ...label })),
    ...label,
  }),
  z.looseObject({ type: z.literal('wait'), fade: maybe(z.boolean()), confetti: maybe(z.boolean()) }),
  z.looseObject({ type: z.literal('snapshot'), snapshotId: shown, sheetId: shown }),
  z.looseObject({ type: z.literal('retry'), ...label }),
  /** Shows a sheet without some of its columns. */
  z.looseObject({ type: z.literal('view'), sheetId: shown, hiddenColumns: z.array(z.string()), ...label }),
  z.looseObject({ type: z.literal('clearFilters'), ...label, sheetIds: maybe(z.array(shown)) }),
])

export const Outcome = z.looseObject({
  /** Is a person to confirm that it was seen? */
  acknowledge: maybe(z.boolean()),
  /** How `next` begins: when a person asks for it or by itself, for who began the job or for all. */
  trigger: maybe(
    z.union(
      [TriggerType, z.looseObject({ type: TriggerType, audience: maybe(z.enum(['originator', 'all'])) })],
      'must be manual, automatic or automatic_silent, or an object with one of them as its type',
    ),
  ),
  buttonText: maybe(z.string()),
  heading: maybe(z.string()),
  message: maybe(z.string()),
  hideDefaultButton: maybe(z.boolean()),
  next: maybe(OutcomeNext),
})
export type Outcome = z.infer<typeof Outcome>
