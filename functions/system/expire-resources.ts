/** Scheduled: applies retention policies and removes abandoned uploads. */
import type { Context } from 'aws-lambda'
import * as z from 'zod'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { removeAbandonedUploads } from '../../lib/files/abandoned-uploads.ts'
import { type SweepCounts, sweep } from '../../lib/retention/sweep.ts'
import { Id } from '../../schemas/kit/ids.ts'

const RESERVE_MS = 30_000

const Run = z.object({ time: z.iso.datetime(), environmentId: Id.optional() })

type Result = SweepCounts & { uploads: number }

export const handler = handleEvent(
  async (event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<Result> => {
    const { time, environmentId } = Run.parse(event)
    const hasTimeLeft = () => context.getRemainingTimeInMillis() > RESERVE_MS
    const swept = await sweep(new Date(time), hasTimeLeft, environmentId)
    const { uploads, failed } = await removeAbandonedUploads(new Date(time), hasTimeLeft, environmentId)
    if (swept.failed + failed > 0) throw new Error(`${swept.failed + failed} items could not be processed.`)
    return { ...swept, uploads }
  },
)
