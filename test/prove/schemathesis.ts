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
interface Scenario {
  phase?: string
  /** A chain that came to nothing has neither requests nor checks. */
  recorder: { label: string; interactions?: Record<string, Interaction>; checks?: Record<string, Check[]> }
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
  statuses: Record<string, number>
  findings: Finding[]
  /** Operations for which nothing, or not all, could be generated, with the reason. */
  notGenerated: { operation: string; reason: string }[]
}

/** Reads its log (`--report ndjson`). */
export async function outcomeOf(path: string): Promise<Outcome> {
  const statuses: Record<string, number> = {}
  const findings = new Map<string, Finding>()
  const notGenerated: Outcome['notGenerated'] = []
  const operations = new Set<string>()
  let cases = 0
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const { ScenarioFinished: scenario, NonFatalError: error } = JSON.parse(text) as Line
    if (error) notGenerated.push({ operation: error.label, reason: `${error.value.type}: ${error.value.message}` })
    if (!scenario) continue
    const { label, interactions = {}, checks = {} } = scenario.recorder
    for (const { request, response } of Object.values(interactions)) {
      cases++
      operations.add(label)
      const status = String(response?.status_code ?? `none: ${request.method}`)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    for (const [id, made] of Object.entries(checks))
      for (const check of made.filter(({ status }) => status === 'failure'))
        note(findings, label, check, interactions[id])
  }
  return { cases, operations: operations.size, statuses, findings: [...findings.values()], notGenerated }
}

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
