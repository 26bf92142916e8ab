/** Runs in its own process for the crash test: expires resources of one environment. Arguments: time, environment. */
import { handler } from '../../functions/system/expire-resources.ts'

const [time, environmentId] = process.argv.slice(2)
await handler({ time, environmentId }, { getRemainingTimeInMillis: () => 900_000 })
