/** Evaluates a user's function over a batch of records, without permissions or access to platform data. */
import { readFileSync } from 'node:fs'
import type { MutationCall, MutationResult } from '../../lib/jobs/mutation/call.ts'
import { createMutationEvaluator } from '../../lib/jobs/mutation/engine.ts'
import { ENGINE_PATH } from '../../lib/jobs/mutation/limits.ts'

// Lambda sets the role's credentials, which only allow writing logs; nothing here uses them.
for (const name of Object.keys(process.env)) if (/^AWS_(ACCESS|SECRET|SESSION)/.test(name)) delete process.env[name]

const evaluate = createMutationEvaluator(readFileSync(new URL(`../../${ENGINE_PATH}`, import.meta.url)))

export const handler = (call: MutationCall): Promise<MutationResult> => evaluate(call)
