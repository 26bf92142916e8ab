/** Loads a bundle in a temporary function before it is deployed; the running version is not touched. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { AGENT_MEGABYTES, MAX_AGENT_LOAD_SECONDS } from '../../schemas/agents/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { ignoreNotFound } from '../core/aws-errors.ts'
import { invalidField } from '../core/errors.ts'
import { createFunction } from './function.ts'
import { FunctionFailedError, invoke } from './invoke.ts'
import { removeFunction } from './remove-function.ts'
import { NO_ROUTE, REPORT_MARK } from './runtime/report.ts'
import type { Package } from './zip.ts'

const MAX_ATTEMPTS = 3

export async function checkBundle(
  functionName: string,
  code: Package,
  variables: Record<string, string>,
): Promise<void> {
  // Concurrent deployments of the same bundle share the function, and so does one that crashed.
  const name = `${functionName}-${createHash('sha256').update(code.sha256).digest('hex').slice(0, 8)}`
  try {
    for (let attempt = 1; ; attempt++) {
      await ensureFunction(name, code, variables)
      const response = await ignoreNotFound(invoke(name, { check: true }))
      if (response !== undefined) return
      if (attempt === MAX_ATTEMPTS)
        throw new Error(`${name} was removed ${MAX_ATTEMPTS} times before it could be called`)
    }
  } catch (error) {
    throw error instanceof FunctionFailedError ? invalidField('source', describeFailure(error)) : error
  } finally {
    await removeFunction(name)
  }
}

const ensureFunction = (name: string, code: Package, variables: Record<string, string>): Promise<unknown> =>
  createFunction(name, code, variables, MAX_AGENT_LOAD_SECONDS).catch((error: Error) => {
    if (error.name !== 'ResourceConflictException') throw error
  })

const ErrorPayload = z.object({
  errorType: z.string().catch('Error'),
  errorMessage: z.string().catch(message('agents.noReason')),
  trace: z.array(z.string()).catch([]),
})

const KNOWN_FAILURES: Record<string, string> = {
  'Sandbox.Timedout': message('agents.loadTimedOut', { count: MAX_AGENT_LOAD_SECONDS }),
  'Runtime.OutOfMemory': message('agents.loadOutOfMemory', { limit: AGENT_MEGABYTES }),
  'Runtime.ExitError': message('agents.exitedWhileLoading'),
  [NO_ROUTE]: message('agents.noRoute'),
}

function describeFailure({ response, type }: FunctionFailedError): string {
  const knownReason = KNOWN_FAILURES[type]
  if (knownReason) return knownReason
  const { errorType, errorMessage, trace } = ErrorPayload.parse(parseJsonOrEmpty(response))
  const position = trace.filter((line) => !line.startsWith(REPORT_MARK)).flatMap(findTracePosition)[0]
  const failure = { type: errorType, reason: errorMessage.split('\n')[0]! }
  return position ? message('agents.notLoadableAt', { ...failure, position }) : message('agents.notLoadable', failure)
}

function findTracePosition(line: string): string[] {
  const match = /^ *at .*?([^\s(/]*\/)?([^\s(/]+\/)?([^\s(/]+:\d+:\d+)\)?$/.exec(line)
  if (!match || /node:|index\.mjs:/.test(line)) return []
  return [match[3]!.startsWith('bundle.cjs') ? match[3]! : `${match[2] ?? ''}${match[3]}`]
}

function parseJsonOrEmpty(response: string): unknown {
  try {
    return JSON.parse(response)
  } catch {
    return {}
  }
}
