/** Meters usage from events, each cause once. Forged events have no effect. */
import type { EventBridgeEvent } from 'aws-lambda'
import { Files } from '../../lib/entities/files.ts'
import { Spaces } from '../../lib/entities/spaces.ts'
import { recordUsage } from '../../lib/entities/usage.ts'
import { Workbooks } from '../../lib/entities/workbooks.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import type { MeterTotals } from '../../schemas/accounts/usage.ts'
import { Event } from '../../schemas/events/shape.ts'

interface MeterReading {
  id: string
  at: string
  usage: Partial<MeterTotals>
}
type Meter = (event: Event) => Promise<MeterReading | undefined>

/** A resource deleted in the meantime is counted too. */
const meterResource =
  <T extends { createdAt: string }>(
    key: 'spaceId' | 'workbookId' | 'fileId',
    get: (id: string) => Promise<T | undefined>,
    usage: (resource: T | undefined) => Partial<MeterTotals>,
  ): Meter =>
  async ({ context, createdAt }) => {
    const id = context[key]
    if (!id) return undefined
    const resource = await get(id)
    return { id, at: resource?.createdAt ?? createdAt, usage: usage(resource) }
  }

const METERS: Record<string, Meter> = {
  'space:created': meterResource('spaceId', Spaces.get, () => ({ spaces: 1 })),
  'workbook:created': meterResource('workbookId', Workbooks.get, () => ({ workbooks: 1 })),
  'file:created': meterResource('fileId', Files.get, (file) => ({ files: 1, fileBytes: file?.size ?? 0 })),
}

export const handler = handleEvent(
  async ({ detail }: Pick<EventBridgeEvent<string, unknown>, 'detail'>): Promise<void> => {
    const event = Event.parse(detail)
    const reading = await METERS[event.topic]?.(event)
    if (!reading) return
    const { accountId, environmentId } = event.context
    const { usage, ...cause } = reading
    await recordUsage({ ...cause, accountId, environmentId }, usage)
  },
)
