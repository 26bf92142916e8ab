/** Runs in its own process for the crash test: one tick of a schedule. Arguments: topic and time. */
import { handler } from '../../functions/system/cron.ts'

const [topic, time] = process.argv.slice(2)
await handler({ topic, time })
