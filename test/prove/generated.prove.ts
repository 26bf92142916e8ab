/**
 * Generated requests over the whole OpenAPI document, against the platform on the embedded cloud: no 5xx, no status and no
 * content type that is not documented, replies by their schema, nothing used after it was deleted, nobody without a token.
 * `PROVE_CASES` (10,000) says how many requests there are at least; the result is written to docs/prove.json.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { callerOf, server } from '../support/api.ts'
import { fixture } from '../support/fixture.ts'
import { type Document, narrowed } from './narrowed.ts'
import { installed, outcomeOf, schemathesis, VERSION } from './schemathesis.ts'

const CASES = Number(process.env.PROVE_CASES ?? 10_000)
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

const folder = resolve('.prove')

it(`answers ${CASES} generated requests as its document says`, async () => {
  const command = await installed()
  const [mine, doomed] = [await fixture(), await fixture()]
  const token = (await callerOf(mine.token)('POST', '/auth/personal-access-tokens', { name: 'prove' })).body.data.token
  const document = JSON.parse(readFileSync('schemas/generated/openapi.json', 'utf8')) as Document
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path)).length
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/openapi.json`, JSON.stringify(narrowed(document, mine.ids, doomed.ids)))
  const log = `${folder}/requests.ndjson`
  rmSync(log, { force: true })
  const startedAt = Date.now()
  await schemathesis(command, [
    'run',
    `${folder}/openapi.json`,
    ...['--url', new URL(server().baseUrl).origin],
    ...['--header', `Authorization: Bearer ${token}`],
    ...['--checks', CHECKS.join(',')],
    ...['--phases', process.env.PROVE_PHASES ?? 'examples,fuzzing,stateful'],
    ...['--max-examples', String(Math.max(1, Math.ceil((CASES / operations) * 1.2)))],
    ...['--exclude-path-regex', LEFT_OUT],
    ...NOT_IN_CHAINS.flatMap((id) => ['--exclude-operation-id', id]),
    ...['--report', 'ndjson', '--report-ndjson-path', log],
    ...['--suppress-health-check', 'all', '--warnings', 'off'],
    ...['--workers', '2', '--no-shrink', '--continue-on-failure', '--request-timeout', '60'],
    ...(process.env.PROVE_SEED ? ['--seed', process.env.PROVE_SEED] : []),
  ])
  const outcome = await outcomeOf(log)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const result = { at: new Date(startedAt).toISOString(), schemathesis: VERSION, checks: CHECKS, seconds, ...outcome }
  writeFileSync('docs/prove.json', `${JSON.stringify(result, null, 1)}\n`)
  console.log(
    `${outcome.cases} requests to ${outcome.operations} of ${operations} operations in ${seconds} s, seen in docs/prove.json`,
  )
  expect(outcome.findings).toEqual([])
  expect(outcome.cases).toBeGreaterThanOrEqual(CASES)
  expect(Object.keys(outcome.statuses).filter((status) => status >= '500')).toEqual([])
})
