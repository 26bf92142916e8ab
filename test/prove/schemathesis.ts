/** Schemathesis (PyPI) in a virtual environment of its own, made at its first use; and what its log says. */
import { execFile, spawn } from 'node:child_process'
import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** Another version may generate other requests. */
export const VERSION = '4.32.5'
const FOLDER = resolve('.prove')
const VENV = resolve(FOLDER, `schemathesis-${VERSION}`)
const run = promisify(execFile)

/**
 * Installs it unless it is there.
 * @throws Error that says what is missing: Python, or the way to PyPI
 */
export async function installed(): Promise<string> {
  const command = resolve(VENV, 'bin/schemathesis')
  try {
    if (!existsSync(resolve(VENV, 'bin/pip'))) await run('python3', ['-m', 'venv', VENV])
    if (!existsSync(command)) await run(resolve(VENV, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`])
    return command
  } catch (error) {
    throw new Error(
      `NOT RUN: npm run prove needs Python 3.10 or newer with venv, and PyPI (schemathesis ${VERSION}): ${(error as Error).message}`,
    )
  }
}

/** Resolves with its exit code once it has ended; its report goes to the console. */
export function schemathesis(command: string, args: readonly string[]): Promise<number> {
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
  /** What it asks for came from an earlier answer, by a link. */
  is_transition_applied?: boolean
}
interface Scenario {
  /** A chain that came to nothing has neither requests nor checks. */
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
  /** Requests with something of an earlier answer in them, and the different links they followed. */
  followed: number
  links: number
  statuses: Record<string, number>
  /** How often each check held. */
  checks: Record<string, number>
  findings: Finding[]
  /** Operations for which nothing, or not all, could be generated, with the reason. */
  notGenerated: { operation: string; reason: string }[]
}

/** Reads its logs (`--report ndjson`). */
export async function outcomeOf(paths: readonly string[]): Promise<Outcome> {
  const [statuses, held] = [new Map<string, number>(), new Map<string, number>()]
  const findings = new Map<string, Finding>()
  const notGenerated: Outcome['notGenerated'] = []
  const [operations, links] = [new Set<string>(), new Set<string>()]
  let [cases, followed] = [0, 0]
  const count = (of: Map<string, number>, name: string): unknown => of.set(name, (of.get(name) ?? 0) + 1)
  for await (const text of linesOf(paths)) {
    const { ScenarioFinished: scenario, NonFatalError: error } = JSON.parse(text) as Line
    if (error) notGenerated.push({ operation: error.label, reason: `${error.value.type}: ${error.value.message}` })
    if (!scenario) continue
    const { label, cases: made = {}, interactions = {}, checks = {} } = scenario.recorder
    for (const [id, { request, response }] of Object.entries(interactions)) {
      cases++
      const one = made[id]
      const operation = one ? `${one.value.method} ${one.value.path}` : label
      operations.add(operation)
      const from = sourcesOf(one)
      if (from.length > 0) followed++
      for (const source of from) links.add(`${source} -> ${operation}`)
      count(statuses, String(response?.status_code ?? `none: ${request.method}`))
    }
    for (const [id, seen] of Object.entries(checks))
      for (const check of seen) {
        if (check.status === 'failure') note(findings, made[id] ? nameOf(made[id]) : label, check, interactions[id])
        else if (check.status === 'success') count(held, check.name)
      }
  }
  return {
    ...{ cases, operations: operations.size, followed, links: links.size },
    ...{ statuses: sorted(statuses), checks: sorted(held), findings: [...findings.values()], notGenerated },
  }
}

async function* linesOf(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) yield* createInterface({ input: createReadStream(path) })
}

const nameOf = ({ value }: Case): string => `${value.method} ${value.path}`

const sorted = (counts: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))

/** Of which operations' answers a request was made: by a link, or by a value taken from what was answered before. */
const sourcesOf = (one: Case | undefined): string[] => [
  ...(one?.is_transition_applied && one.transition ? [one.transition.id] : []),
  ...(one?.value.meta?.pool_draws ?? []).map(({ source_operation }) => source_operation),
]

function note(findings: Map<string, Finding>, operation: string, check: Check, at: Interaction | undefined): void {
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
