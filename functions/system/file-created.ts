/** When a file has arrived: the platform extracts it, once, leaves it to listeners, or fails it because nobody reads it. */
import type { EventBridgeEvent } from 'aws-lambda'
import { Files } from '../../lib/entities/files.ts'
import { followUp } from '../../lib/events/follow-up.ts'
import { extractionBegins, extractorOf, failUnread } from '../../lib/files/extraction.ts'
import { createJob } from '../../lib/jobs/create.ts'
import { committed } from '../../lib/table/transact.ts'
import { begin } from '../../lib/tx.ts'
import type { Event } from '../../schemas/events.ts'

export const handler = followUp(async ({ detail: event }: EventBridgeEvent<'file:created', Event>): Promise<void> => {
  const { fileId = '', accountId, actorId } = event.context
  const file = await Files.get(fileId)
  if (!file) return
  const extractor = await extractorOf(file)
  const actor = { accountId, actorId: actorId ?? file.createdBy }
  if (extractor === 'none') await failUnread(actor, file)
  if (extractor !== 'platform') return
  const tx = begin(actor)
  // The event may be delivered again: whoever comes second loses the claim, and with it the job.
  // Of a file deleted meanwhile nothing is begun.
  tx.write(Files.stays(file.id), extractionBegins(file.id))
  createJob(
    tx,
    { type: 'file', operation: 'extract', source: file.id, trigger: 'immediate', mode: 'foreground' },
    { kind: 'file', file },
  )
  tx.onConflict((error) => error)
  await committed(tx.commit())
})
