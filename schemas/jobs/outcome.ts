/** The outcome of a job as people see it: a message, and where to go next. */
import * as z from 'zod'
import { unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { message } from '../messages/index.ts'
import { isOwnPath, isWebAddress, parseOwnDownload } from './own-download.ts'

const label = { label: nullish(z.string()) }
const TriggerType = z.enum(['manual', 'automatic', 'automatic_silent'])

const DownloadAddress = z.string().refine(
  (address) => isWebAddress(address) || parseOwnDownload(address) !== undefined,
  message('jobs.downloadAddress', {
    filePath: '/v1/files/{fileId}/download',
    sheetPath: '/v1/sheets/{sheetId}/download',
  }),
)

/** A browser would run `javascript:` and open `data:` and `file:`. */
const PageAddress = z
  .string()
  .refine((address) => isWebAddress(address) || isOwnPath(address), message('jobs.pageAddress'))

const displayedId = unscoped('opened by the browser with the permissions of the viewer', z.string())

export const OutcomeNext = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('id'),
    id: displayedId,
    ...label,
    path: nullish(z.string()),
    query: nullish(z.string()),
  }),
  z.looseObject({ type: z.literal('url'), url: PageAddress, ...label, replace: nullish(z.boolean()) }),
  /** The web app downloads the platform's own files; it shows any other URL as a link. */
  z.looseObject({ type: z.literal('download'), url: DownloadAddress, ...label, fileName: nullish(z.string()) }),
  z.looseObject({
    type: z.literal('files'),
    files: z.array(z.looseObject({ fileId: displayedId, ...label })),
    ...label,
  }),
  z.looseObject({ type: z.literal('wait'), fade: nullish(z.boolean()), confetti: nullish(z.boolean()) }),
  z.looseObject({ type: z.literal('snapshot'), snapshotId: displayedId, sheetId: displayedId }),
  z.looseObject({ type: z.literal('retry'), ...label }),
  z.looseObject({ type: z.literal('view'), sheetId: displayedId, hiddenColumns: z.array(z.string()), ...label }),
  z.looseObject({ type: z.literal('clearFilters'), ...label, sheetIds: nullish(z.array(displayedId)) }),
])

export const Outcome = z.looseObject({
  acknowledge: nullish(z.boolean()),
  trigger: nullish(
    z.union(
      [TriggerType, z.looseObject({ type: TriggerType, audience: nullish(z.enum(['originator', 'all'])) })],
      message('jobs.outcomeTrigger'),
    ),
  ),
  buttonText: nullish(z.string()),
  heading: nullish(z.string()),
  message: nullish(z.string()),
  hideDefaultButton: nullish(z.boolean()),
  next: nullish(OutcomeNext),
})
export type Outcome = z.infer<typeof Outcome>
