/**
 * Generated requests over the whole OpenAPI document, against the platform on the embedded cloud: no 5xx, no status and no
 * content type that is not documented, replies by their schema, nothing used after it was deleted, nobody without a token.
 *
 * Part by part (`npm run fuzz -- -t stateful`), each within 10 minutes on 2 cores: single requests, a third of the operations
 * each, and chains of requests along the document's links. `FUZZ_CASES` (10,000) says how many requests all parts make at least.
 * Each part's result is kept in docs/figures/fuzz.json.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCaller, getServer } from '../support/api.ts'
import { createFixture } from '../support/fixture.ts'
import { type Document, type Ids, narrowDocument, selectOperations } from './narrow-spec.ts'
import { installSchemathesis, type Outcome, parseOutcome, runSchemathesis, VERSION } from './schemathesis.ts'

const CASES = Number(process.env.FUZZ_CASES ?? 10_000)
/** A third of the requests are chains. */
const [SINGLE, CHAINED] = [Math.ceil((CASES * 2) / 3), Math.ceil(CASES / 3)]
const PARTS = 3
/** Requests of one chain, on the average: it ends where nothing leads on. */
const CHAIN = 8
/** A part that has not enough requests by then ends with the round it is in. */
const PART_MS = 8 * 60_000
const SEED = Number(process.env.PROVE_SEED ?? 1)
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'use_after_free',
  'ignored_auth',
]
/** Waits 20 s for events at each request: test/api/live.test.ts goes through it. */
const LEFT_OUT = '^/v2/subscribe/'
/** These end the token, or take away the environment or the user it belongs to: test/contract/access.test.ts goes through them. */
const NOT_IN_CHAINS = ['auth.removeToken', 'auth.removeKey', 'users.remove', 'environments.remove', 'users.removeRole']

const FOLDER = resolve('.fuzz')
const RESULT = resolve('docs/figures/fuzz.json')

interface Part {
  name: string
  phases: string
  ids: Ids
  /** Which of the operations; all of them unless told. */
  only?: (index: number) => boolean
  /** Requests an operation, or chains. */
  examples: (operations: number) => number
  atLeast: number
}

const parts: Part[] = [
  ...Array.from({ length: PARTS }, (_, part) => ({
    ...{ name: `single ${part + 1} of ${PARTS}`, phases: 'examples,fuzzing', ids: 'tried' as const },
    ...{ only: (index: number) => index % PARTS === part, atLeast: Math.ceil(SINGLE / PARTS) },
    examples: (operations: number) => Math.ceil((SINGLE / PARTS / operations) * 1.2),
  })),
  {
    ...{ name: 'stateful', phases: 'stateful', ids: 'given' as const, atLeast: CHAINED },
    examples: () => Math.ceil((CHAINED / CHAIN) * 1.2),
  },
]

async function run(part: Part) {
  const command = await installSchemathesis()
  const [mine, doomed] = [await createFixture(), await createFixture()]
  const token = (await createCaller(mine.token)('POST', '/auth/personal-access-tokens', { name: 'fuzz' })).body.data
    .token
  const whole = JSON.parse(readFileSync('schemas/generated/openapi.json', 'utf8')) as Document
  const document = selectOperations(narrowDocument(whole, mine.ids, doomed.ids, part.ids), part.only)
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path)).length
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/openapi.json`, JSON.stringify(document))
  // Links it guesses are thirty times as many as those the document has, and lead nowhere mostly.
  writeFileSync(`${FOLDER}/schemathesis.toml`, '[phases.stateful.inference]\nalgorithms = ["location-headers"]\n')
  const startedAt = Date.now()
  const logs: string[] = []
  let outcome = await parseOutcome(logs)
  // Chains end early where nothing new is met: further rounds begin elsewhere.
  while (outcome.cases < part.atLeast && Date.now() - startedAt < PART_MS && outcome.findings.length === 0) {
    const log = `${FOLDER}/requests-${logs.length}.ndjson`
    rmSync(log, { force: true })
    await runSchemathesis(command, argumentsOf(part, token, operations, log, SEED + logs.length))
    logs.push(log)
    outcome = await parseOutcome(logs)
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  keep(part.name, { at: new Date(startedAt).toISOString(), seconds, seed: SEED, rounds: logs.length, ...outcome })
  const { cases, operations: asked, followed, links } = outcome
  console.log(
    `${cases} requests to ${asked} of ${operations} operations in ${seconds} s, ${followed} by ${links} links`,
  )
  return outcome
}

const argumentsOf = (part: Part, token: string, operations: number, log: string, seed: number): string[] => [
  ...['--config-file', `${FOLDER}/schemathesis.toml`, 'run', `${FOLDER}/openapi.json`],
  ...['--url', new URL(getServer().baseUrl).origin],
  ...['--header', `Authorization: Bearer ${token}`],
  ...['--checks', CHECKS.join(',')],
  ...['--phases', part.phases],
  ...['--max-examples', String(part.examples(operations))],
  ...['--exclude-path-regex', LEFT_OUT],
  ...NOT_IN_CHAINS.flatMap((id) => ['--exclude-operation-id', id]),
  ...['--report', 'ndjson', '--report-ndjson-path', log],
  ...['--suppress-health-check', 'all', '--warnings', 'off', '--seed', String(seed)],
  ...['--workers', '1', '--no-shrink', '--continue-on-failure', '--request-timeout', '60'],
]

interface Result extends Outcome {
  at: string
  seconds: number
  seed: number
  rounds: number
}

/** The results of other parts stay as they were. */
function keep(name: string, result: Result): void {
  const before = existsSync(RESULT) ? (JSON.parse(readFileSync(RESULT, 'utf8')) as { parts?: object }).parts : {}
  const all = Object.entries({ ...before, [name]: result }).filter(([part]) => parts.some((one) => one.name === part))
  const sum = (of: (one: Result) => number) => all.reduce((total, [, one]) => total + of(one as Result), 0)
  const total = { cases: sum((one) => one.cases), seconds: sum((one) => one.seconds) }
  const findings = sum((one) => one.findings.length)
  const whole = { schemathesis: VERSION, checks: CHECKS, ...total, findings, parts: Object.fromEntries(all) }
  writeFileSync(RESULT, `${JSON.stringify(whole, null, 1)}\n`)
}

describe('the API answers generated requests as its document says', () => {
  it.each(parts.map((part) => [part.name, part] as const))('%s', async (_, part) => {
    const { findings, cases, statuses, followed } = await run(part)
    expect(findings).toEqual([])
    expect(cases).toBeGreaterThanOrEqual(part.atLeast)
    expect(Object.keys(statuses).filter((status) => status >= '500')).toEqual([])
    if (part.phases === 'stateful') expect(followed).toBeGreaterThan(cases / 4)
  })
})
