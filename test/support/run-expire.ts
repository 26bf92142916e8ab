/** A process of its own for the crash test: looks after one environment as the schedule does. Arguments: time, environment. */
import { handler } from '../../functions/system/expire.ts'

const [time, environmentId] = process.argv.slice(2)
await handler({ time, environmentId }, { getRemainingTimeInMillis: () => 900_000 })
