/** Runs in its own process for the crash test: queues an event for the webhooks. Argument: the event as JSON. */
import { handler } from '../../functions/system/queue-webhooks.ts'

await handler({ detail: JSON.parse(process.argv[2]!) })
