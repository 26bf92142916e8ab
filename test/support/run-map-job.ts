/** A process of its own for the crash test: performs a job as the function does. Arguments: job. */
import { runJob } from '../../lib/jobs/run.ts'

const [jobId = ''] = process.argv.slice(2)
process.stdout.write(await runJob(jobId, { owner: `process ${process.pid}`, leaseMs: 600 }))
