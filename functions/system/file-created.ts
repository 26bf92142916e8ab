/** After an upload, extracts the file once, leaves it to listeners, or fails it if no one reads it. */
import type { EventBridgeEvent } from 'aws-lambda'
import { Files } from '../../lib/entities/files.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { chooseExtractor, claimExtraction, failUnsupported } from '../../lib/files/extraction-policy.ts'
import { createJob } from '../../lib/jobs/lifecycle/create.ts'
import { tryCommit } from '../../lib/table/transact.ts'
import { begin } from '../../lib/tx.ts'
import type { Event } from '../../schemas/events/shape.ts'

export const handler = handleEvent(
  async ({ detail: event }: EventBridgeEvent<'file:created', Event>): Promise<void> => {
    const { fileId = '', accountId, actorId } = event.context
    const file = await Files.get(fileId)
    if (!file) return
    const extractor = await chooseExtractor(file)
    const actor = { accountId, actorId: actorId ?? file.createdBy }
    if (extractor === 'none') await failUnsupported(actor, file)
    if (extractor !== 'platform') return
    const tx = begin(actor)
    // Events can be delivered twice: the second delivery loses the claim, and so its job.
    tx.write(Files.assertExists(file.id), claimExtraction(file.id))
    createJob(
      tx,
      { type: 'file', operation: 'extract', source: file.id, trigger: 'immediate', mode: 'foreground' },
      { kind: 'file', file },
    )
    await tryCommit(tx.commit())
  },
)
