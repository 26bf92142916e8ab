/** A process of its own for the crash test: hands an event to the webhooks as its rule does. Argument: the event as JSON. */
import { handler } from '../../functions/system/webhook-event.ts'

await handler({ detail: JSON.parse(process.argv[2]!) })
