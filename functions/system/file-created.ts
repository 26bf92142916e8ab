/** After an upload, extracts the file once, leaves it to listeners, or fails it if no one reads it. */
import type { EventBridgeEvent } from 'aws-lambda'
import { Files } from '../../lib/entities/files.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { chooseExtractor, failUnsupported } from '../../lib/files/extraction-policy.ts'
import { extractOnce } from '../../lib/jobs/lifecycle/extraction.ts'
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
    extractOnce(tx, file)
    await tryCommit(tx.commit())
  },
)
