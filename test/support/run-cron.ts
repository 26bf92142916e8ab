/** A process of its own for the crash test: runs a tick as its schedule does. Arguments: topic and time. */
import { handler } from '../../functions/system/cron.ts'

const [topic, time] = process.argv.slice(2)
await handler({ topic, time })
