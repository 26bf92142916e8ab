import { putEvents } from './bus.ts'

/**
 * Puts an event that no rule matches: all rules of the platform match the source `wharf`. @throws when the bus rejects
 * it
 */
export async function pingBus(): Promise<void> {
  const [result] = await putEvents([{ Source: 'wharf.health', DetailType: 'health', Detail: '{}' }])
  if (!result?.EventId) throw new Error(`The bus rejected an event: ${result?.ErrorCode}`)
}
