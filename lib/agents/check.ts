/**
 * Loads a bundle once before it is deployed, in a function that nothing else calls, with the agent's own variables, which
 * bundles read while they load. What runs at the moment is left alone, and the platform's process never runs the bundle.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { AGENT_MEGABYTES, CHECK_SECONDS } from '../../schemas/agent.ts'
import { invalidField } from '../core/errors.ts'
import { createFunction } from './function.ts'
import { FunctionFailed, invoke } from './invoke.ts'
import { unlessMissing } from './missing.ts'
import { removeFunction } from './remove-function.ts'
import { NO_ROUTE, REPORT_MARK } from './runtime/report.ts'
import type { Package } from './zip.ts'

const ATTEMPTS = 3

/** @throws ApiError 400 that says why the bundle cannot work */
export async function checkBundle(
  functionName: string,
  code: Package,
  variables: Record<string, string>,
): Promise<void> {
  // Deployments of the same bundle at the same time share the function, also with one that died.
  const name = `${functionName}-${createHash('sha256').update(code.sha256).digest('hex').slice(0, 8)}`
  try {
    for (let attempt = 1; ; attempt++) {
      await make(name, code, variables)
      const answer = await unlessMissing(invoke(name, { check: true }))
      if (answer !== undefined) return
      if (attempt === ATTEMPTS) throw new Error(`${name} was removed ${ATTEMPTS} times while it was to be called`)
    }
  } catch (error) {
    throw error instanceof FunctionFailed ? invalidField('source', problemOf(error)) : error
  } finally {
    await removeFunction(name)
  }
}

const make = (name: string, code: Package, variables: Record<string, string>): Promise<unknown> =>
  createFunction(name, code, variables, CHECK_SECONDS).catch((error: Error) => {
    if (error.name !== 'ResourceConflictException') throw error
  })

const Answer = z.object({
  errorType: z.string().catch('Error'),
  errorMessage: z.string().catch('no reason was given'),
  trace: z.array(z.string()).catch([]),
})

/** Lambda's and the runtime's names of an end that is not the bundle's own error. */
const ENDS: Record<string, string> = {
  'Sandbox.Timedout': `was not loaded within ${CHECK_SECONDS} s`,
  'Runtime.OutOfMemory': `took more than ${AGENT_MEGABYTES} MB of memory while it was loaded`,
  'Runtime.ExitError': 'ended its process while it was loaded',
  [NO_ROUTE]: 'must export routeEvent(event) or dispatchEvent(event)',
}

function problemOf({ answer, type }: FunctionFailed): string {
  const known = ENDS[type]
  if (known) return known
  const { errorType, errorMessage, trace } = Answer.parse(parsed(answer))
  const place = trace.filter((line) => !line.startsWith(REPORT_MARK)).flatMap(placeIn)[0]
  const message = errorMessage.split('\n')[0]!
  return `cannot be loaded: ${errorType}: ${message}${place ? ` (${place})` : ''}`
}

/** The place in the bundle, or in the source it was made of, that a line of a trace names. */
function placeIn(line: string): string[] {
  const found = /^ *at .*?([^\s(/]*\/)?([^\s(/]+\/)?([^\s(/]+:\d+:\d+)\)?$/.exec(line)
  if (!found || /node:|index\.mjs:/.test(line)) return []
  return [found[3]!.startsWith('bundle.cjs') ? found[3]! : `${found[2] ?? ''}${found[3]}`]
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return {}
  }
}
