/** By the clock: expires and removes what data retention policies make due, and gives up uploads nobody completes. */
import type { Context } from 'aws-lambda'
import * as z from 'zod'
import { removeUnfinished } from '../../lib/files/unfinished.ts'
import { type Swept, sweep } from '../../lib/retention/sweep.ts'
import { Id } from '../../schemas/ids.ts'

/** Nothing is begun with less left. */
const RESERVE_MS = 30_000

/** `time` is the schedule's own clock; with `environmentId` only that environment is looked at. */
const Run = z.object({ time: z.iso.datetime(), environmentId: Id.optional() })

/** @throws when a thing could not be looked after: the run is repeated, and does what is left */
export async function handler(
  event: unknown,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<Swept & { uploads: number }> {
  const { time, environmentId } = Run.parse(event)
  const goOn = () => context.getRemainingTimeInMillis() > RESERVE_MS
  const swept = await sweep(new Date(time), goOn, environmentId)
  const { uploads, failed } = await removeUnfinished(new Date(time), goOn, environmentId)
  if (swept.failed + failed > 0) throw new Error(`${swept.failed + failed} things could not be looked after.`)
  return { ...swept, uploads }
}
