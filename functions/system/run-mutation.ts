/**
 * Evaluates a user's function over a batch of records, for previews and jobs. The function has no permissions and no variables:
 * its package holds the engine alone, nothing of the platform's data (test/contract/serverless.test.ts).
 */
import { readFileSync } from 'node:fs'
import type { Answer, Call } from '../../lib/jobs/mutation/call.ts'
import { evaluator } from '../../lib/jobs/mutation/engine.ts'
import { ENGINE_PATH } from '../../lib/jobs/mutation/limits.ts'

// Lambda sets the credentials of its role, which may write a log; nothing here uses them.
for (const name of Object.keys(process.env)) if (/^AWS_(ACCESS|SECRET|SESSION)/.test(name)) delete process.env[name]

const evaluate = evaluator(readFileSync(new URL(`../../${ENGINE_PATH}`, import.meta.url)))

export const handler = (call: Call): Promise<Answer> => evaluate(call)
