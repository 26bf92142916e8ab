/** How a job ended, for people: what they read, and where they go next. */
import * as z from 'zod'
import { maybe } from './optional.ts'

const label = { label: maybe(z.string()) }
const TriggerType = z.enum(['manual', 'automatic', 'automatic_silent'])

/** What follows when the outcome was seen. */
export const OutcomeNext = z.discriminatedUnion('type', [
  /** Opens a thing of the platform. */
  z.looseObject({ type: z.literal('id'), id: z.string(), ...label, path: maybe(z.string()), query: maybe(z.string()) }),
  z.looseObject({ type: z.literal('url'), url: z.string(), ...label, replace: maybe(z.boolean()) }),
  z.looseObject({ type: z.literal('download'), url: z.string(), ...label, fileName: maybe(z.string()) }),
  z.looseObject({
    type: z.literal('files'),
    files: z.array(z.looseObject({ fileId: z.string(), ...label })),
    ...label,
  }),
  z.looseObject({ type: z.literal('wait'), fade: maybe(z.boolean()), confetti: maybe(z.boolean()) }),
  z.looseObject({ type: z.literal('snapshot'), snapshotId: z.string(), sheetId: z.string() }),
  z.looseObject({ type: z.literal('retry'), ...label }),
  /** Shows a sheet without some of its columns. */
  z.looseObject({ type: z.literal('view'), sheetId: z.string(), hiddenColumns: z.array(z.string()), ...label }),
  z.looseObject({ type: z.literal('clearFilters'), ...label, sheetIds: maybe(z.array(z.string())) }),
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
