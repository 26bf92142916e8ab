/** A process of its own for the crash test: completes a job. Arguments: account, actor, job. */
import { moveNow } from '../../lib/jobs/move.ts'

const [accountId = '', actorId = '', jobId = ''] = process.argv.slice(2)
await moveNow({ accountId, actorId }, jobId, () => ({ trigger: 'complete' }))
process.stdout.write('published')
