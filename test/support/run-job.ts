/** Runs in its own process for crash tests: one run of a job. Argument: the job. */
import { runJob } from '../../lib/jobs/run/run-job.ts'

const [jobId = ''] = process.argv.slice(2)
process.stdout.write(await runJob(jobId, { owner: `run-${process.pid}`, leaseMs: 1500 }))
