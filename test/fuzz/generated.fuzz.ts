/**
 * Sends requests generated from the OpenAPI document and checks statuses, content types and schemas of the responses.
 * `npm run test:nightly -- fuzz -t stateful` runs one part; each takes up to 10 minutes on 2 cores. `FUZZ_CASES` sets the minimum number of
 * requests. The results are in bench/figures/fuzz.json.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCaller, getServer } from '../support/api.ts'
import { createFixture } from '../support/fixture.ts'
import { type Document, type Ids, narrowDocument, selectOperations } from './narrow-spec.ts'
import { installSchemathesis, type Outcome, parseOutcome, runSchemathesis, VERSION } from './schemathesis.ts'

const CASES = Number(process.env.FUZZ_CASES ?? 10_000)
const [SINGLE_CASES, CHAINED_CASES] = [Math.ceil((CASES * 2) / 3), Math.ceil(CASES / 3)]
const PARTS = 3
/** Average length: a chain ends when no link can be followed. */
const REQUESTS_PER_CHAIN = 8
/** A part starts no round after this time, even with too few requests. */
const PART_MS = 8 * 60_000
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'use_after_free',
  'ignored_auth',
]
/** Each request waits 20 s for events; test/api/live.test.ts covers this path. */
const EXCLUDED_PATHS = '^/v2/subscribe/'
/** These revoke the token or delete its environment or user; test/contract/access.test.ts covers them. */
const EXCLUDED_OPERATIONS = [
  'auth.removeToken',
  'auth.removeKey',
  'users.remove',
  'environments.remove',
  'users.removeRole',
]

const FOLDER = resolve('.fuzz')
const RESULT = resolve('bench/figures/fuzz.json')

interface Part {
  name: string
  phases: string
  ids: Ids
  includes?: (index: number) => boolean
  examples: (operationCount: number) => number
  atLeast: number
}

const parts: Part[] = [
  ...Array.from({ length: PARTS }, (_, part) => ({
    ...{ name: `single ${part + 1} of ${PARTS}`, phases: 'examples,fuzzing', ids: 'tried' as const },
    ...{ includes: (index: number) => index % PARTS === part, atLeast: Math.ceil(SINGLE_CASES / PARTS) },
    examples: (operations: number) => Math.ceil((SINGLE_CASES / PARTS / operations) * 1.2),
  })),
  {
    ...{ name: 'stateful', phases: 'stateful', ids: 'given' as const, atLeast: CHAINED_CASES },
    examples: () => Math.ceil((CHAINED_CASES / REQUESTS_PER_CHAIN) * 1.2),
  },
]

async function runPart(part: Part) {
  const command = await installSchemathesis()
  const [fixture, deletableFixture] = [await createFixture(), await createFixture()]
  const token = (await createCaller(fixture.token)('POST', '/auth/personal-access-tokens', { name: 'fuzz' })).body.data
    .token
  const fullDocument = JSON.parse(readFileSync('schemas/generated/openapi.json', 'utf8')) as Document
  const document = selectOperations(
    narrowDocument(fullDocument, fixture.ids, deletableFixture.ids, part.ids),
    part.includes,
  )
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path)).length
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/openapi.json`, JSON.stringify(document))
  // The inferred links outnumber the documented ones by thirty to one, and most of them lead nowhere.
  writeFileSync(`${FOLDER}/schemathesis.toml`, '[phases.stateful.inference]\nalgorithms = ["location-headers"]\n')
  const startedAt = Date.now()
  const logs: string[] = []
  let outcome = await parseOutcome(logs)
  while (outcome.cases < part.atLeast && Date.now() - startedAt < PART_MS && outcome.findings.length === 0) {
    const log = `${FOLDER}/requests-${logs.length}.ndjson`
    rmSync(log, { force: true })
    await runSchemathesis(command, buildArguments(part, token, operations, log, SEED + logs.length))
    logs.push(log)
    outcome = await parseOutcome(logs)
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  saveResult(part.name, { at: new Date(startedAt).toISOString(), seconds, seed: SEED, rounds: logs.length, ...outcome })
  const { cases, operations: requested, followed, links } = outcome
  console.log(
    `${cases} requests to ${requested} of ${operations} operations in ${seconds} s, ${followed} by ${links} links`,
  )
  return outcome
}

const buildArguments = (part: Part, token: string, operations: number, log: string, seed: number): string[] => [
  ...['--config-file', `${FOLDER}/schemathesis.toml`, 'run', `${FOLDER}/openapi.json`],
  ...['--url', new URL(getServer().baseUrl).origin],
  ...['--header', `Authorization: Bearer ${token}`],
  ...['--checks', CHECKS.join(',')],
  ...['--phases', part.phases],
  ...['--max-examples', String(part.examples(operations))],
  ...['--exclude-path-regex', EXCLUDED_PATHS],
  ...EXCLUDED_OPERATIONS.flatMap((id) => ['--exclude-operation-id', id]),
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

function saveResult(name: string, result: Result): void {
  const previous = existsSync(RESULT) ? (JSON.parse(readFileSync(RESULT, 'utf8')) as { parts?: object }).parts : {}
  const all = Object.entries({ ...previous, [name]: result }).filter(([part]) =>
    parts.some(({ name }) => name === part),
  )
  const sum = (select: (result: Result) => number) => all.reduce((total, [, each]) => total + select(each as Result), 0)
  const total = { cases: sum(({ cases }) => cases), seconds: sum(({ seconds }) => seconds) }
  const findings = sum(({ findings }) => findings.length)
  const report = { schemathesis: VERSION, checks: CHECKS, ...total, findings, parts: Object.fromEntries(all) }
  writeFileSync(RESULT, `${JSON.stringify(report, null, 1)}\n`)
}

describe('generated requests', () => {
  it.each(parts.map((part) => [part.name, part] as const))('match the OpenAPI document: %s', async (_, part) => {
    const { findings, cases, statuses, followed } = await runPart(part)
    expect(findings).toEqual([])
    expect(cases).toBeGreaterThanOrEqual(part.atLeast)
    expect(Object.keys(statuses).filter((status) => status >= '500')).toEqual([])
    if (part.phases === 'stateful') expect(followed).toBeGreaterThan(cases / 4)
  })
})
