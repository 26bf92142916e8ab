/** Runs in its own process for the crash test: completes a job. Arguments: account, actor, job. */
import { applyTransition } from '../../lib/jobs/lifecycle/transition.ts'

const [accountId = '', actorId = '', jobId = ''] = process.argv.slice(2)
await applyTransition({ accountId, actorId }, jobId, () => ({ trigger: 'complete' }))
process.stdout.write('published')
