/** Installs Schemathesis (PyPI) into a virtual environment on first use and parses its logs. */
import { execFile, spawn } from 'node:child_process'
import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

export const VERSION = '4.32.5'
const FOLDER = resolve('.fuzz')
const VENV = resolve(FOLDER, `schemathesis-${VERSION}`)
const run = promisify(execFile)

export async function installSchemathesis(): Promise<string> {
  const command = resolve(VENV, 'bin/schemathesis')
  try {
    if (!existsSync(resolve(VENV, 'bin/pip'))) await run('python3', ['-m', 'venv', VENV])
    if (!existsSync(command)) await run(resolve(VENV, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`])
    return command
  } catch (error) {
    throw new Error(
      `NOT RUN: npm run test:nightly -- fuzz needs Python 3.10 or newer with venv, and PyPI (schemathesis ${VERSION}): ${(error as Error).message}`,
    )
  }
}

export function runSchemathesis(command: string, args: readonly string[]): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', fail)
    child.once('exit', (code) => done(code ?? 1))
  })
}

interface Check {
  name: string
  status: string
  failure_info?: { failure: { title: string; message: string } }
}
interface Interaction {
  request: { method: string; uri: string; body?: { $base64?: string } }
  response?: { status_code: number }
}
interface Case {
  value: {
    method: string
    path: string
    meta?: { phase?: { name: string }; pool_draws?: { source_operation: string }[] }
  }
  transition?: { id: string }
  is_transition_applied?: boolean
}
interface Scenario {
  recorder: {
    label: string
    cases?: Record<string, Case>
    interactions?: Record<string, Interaction>
    checks?: Record<string, Check[]>
  }
}
type Line = { ScenarioFinished?: Scenario; NonFatalError?: { label: string; value: { type: string; message: string } } }

export interface Finding {
  operation: string
  check: string
  message: string
  request?: string
  count: number
}
export interface Outcome {
  cases: number
  operations: number
  followed: number
  links: number
  statuses: Record<string, number>
  checks: Record<string, number>
  findings: Finding[]
  notGenerated: { operation: string; reason: string }[]
}

export async function parseOutcome(paths: readonly string[]): Promise<Outcome> {
  const [statuses, held] = [new Map<string, number>(), new Map<string, number>()]
  const findings = new Map<string, Finding>()
  const notGenerated: Outcome['notGenerated'] = []
  const [operations, links] = [new Set<string>(), new Set<string>()]
  let [cases, followed] = [0, 0]
  const increment = (of: Map<string, number>, name: string): unknown => of.set(name, (of.get(name) ?? 0) + 1)
  for await (const text of readLines(paths)) {
    const { ScenarioFinished: scenario, NonFatalError: error } = JSON.parse(text) as Line
    if (error) notGenerated.push({ operation: error.label, reason: `${error.value.type}: ${error.value.message}` })
    if (!scenario) continue
    const { label, cases: made = {}, interactions = {}, checks = {} } = scenario.recorder
    for (const [id, { request, response }] of Object.entries(interactions)) {
      cases++
      const one = made[id]
      const operation = one ? `${one.value.method} ${one.value.path}` : label
      operations.add(operation)
      const from = getSources(one)
      if (from.length > 0) followed++
      for (const source of from) links.add(`${source} -> ${operation}`)
      increment(statuses, String(response?.status_code ?? `none: ${request.method}`))
    }
    for (const [id, seen] of Object.entries(checks))
      for (const check of seen) {
        if (check.status === 'failure')
          recordFinding(findings, made[id] ? getOperationName(made[id]) : label, check, interactions[id])
        else if (check.status === 'success') increment(held, check.name)
      }
  }
  return {
    ...{ cases, operations: operations.size, followed, links: links.size },
    ...{ statuses: sortCounts(statuses), checks: sortCounts(held), findings: [...findings.values()], notGenerated },
  }
}

async function* readLines(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) yield* createInterface({ input: createReadStream(path) })
}

const getOperationName = ({ value }: Case): string => `${value.method} ${value.path}`

const sortCounts = (counts: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))

const getSources = (one: Case | undefined): string[] => [
  ...(one?.is_transition_applied && one.transition ? [one.transition.id] : []),
  ...(one?.value.meta?.pool_draws ?? []).map(({ source_operation }) => source_operation),
]

function recordFinding(
  findings: Map<string, Finding>,
  operation: string,
  check: Check,
  at: Interaction | undefined,
): void {
  const { title = '', message = '' } = check.failure_info?.failure ?? {}
  const key = `${operation} ${check.name} ${title}`
  const before = findings.get(key)
  if (before) {
    before.count++
    return
  }
  const body = Buffer.from(at?.request.body?.$base64 ?? '', 'base64')
    .toString('utf8')
    .slice(0, 500)
  const request =
    at && `${at.request.method} ${new URL(at.request.uri).pathname}${new URL(at.request.uri).search} ${body}`
  findings.set(key, { operation, check: check.name, message: `${title}: ${message}`.slice(0, 500), request, count: 1 })
}
