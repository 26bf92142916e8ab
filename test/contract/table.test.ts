/** Every endpoint, topic and operation is declared, served, documented and has an example. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints, topics } from '../../schemas/index.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { publicOperations } from '../../schemas/public-operations.ts'
import { renderTopics } from '../../scripts/listener/generate.ts'
import { buildEndpointLookup } from '../../scripts/reference/coverage.ts'
import { renderGeneratedFiles } from '../../scripts/reference/generated.ts'
import { renderSdk } from '../../scripts/sdk/generate.ts'
import { generateWebTypes, WEB_TYPES } from '../../scripts/web-types.ts'
import { getServer } from '../support/api.ts'
import {
  type Functions,
  findBadExamples,
  findDuplicates,
  findUndeclared,
  findUnlocatedPolicies,
  findUnserved,
} from './checks.ts'
import { SPECIFIED } from './specified-events.ts'

async function allFunctions(): Promise<Functions> {
  getServer()
  const files = readdirSync('functions').filter((name) => name.endsWith('.ts'))
  const modules = await Promise.all(files.map((name) => import(`../../functions/${name}`)))
  return Object.fromEntries(
    files.map((name, index) => [name.replace('.ts', ''), modules[index] as Record<string, unknown>]),
  )
}

describe('the table of endpoints', () => {
  it('is served completely, and nothing else is served', async () => {
    const functions = await allFunctions()
    expect([...findUnserved(endpoints, functions), ...findUndeclared(endpoints, functions)]).toEqual([])
  })
  it('names every id and route once', () => expect(findDuplicates(endpoints)).toEqual([]))
  it('has a matching example at every endpoint', () => expect(findBadExamples(endpoints)).toEqual([]))
  it('guards every endpoint except the exchange of credentials', () =>
    expect(findUnlocatedPolicies(endpoints)).toEqual([]))
  const generated = renderGeneratedFiles()

  it('matches the generated files: run `npm run gen` when this fails', () => {
    for (const [path, text] of Object.entries(generated)) expect(readFileSync(path, 'utf8'), path).toBe(text)
  })
  it('matches the types of the web application: run `npm run gen` when this fails', async () => {
    const types = await generateWebTypes(generated['schemas/generated/openapi.json']!)
    // Compared as a boolean, because a diff of such long files takes minutes.
    expect(readFileSync(WEB_TYPES, 'utf8') === types, WEB_TYPES).toBe(true)
  })
  it('matches the generated files of @wharf/sdk: run `npm run gen` when this fails', async () => {
    const files = await renderSdk(generated['schemas/generated/openapi.json']!)
    for (const [path, text] of Object.entries(files)) expect(readFileSync(path, 'utf8') === text, path).toBe(true)
  })
  it('matches the generated types of @wharf/listener: run `npm run gen` when this fails', async () => {
    for (const [path, text] of Object.entries(await renderTopics())) expect(readFileSync(path, 'utf8')).toBe(text)
  })
})

describe('the operations of the public SDK', () => {
  const served = buildEndpointLookup(endpoints)
  it('are all known', () => expect(publicOperations).toHaveLength(279))
  it('are served, except those of a hosted service', () => {
    const missing = publicOperations.filter((operation) => operation.tier !== '3' && !served(operation))
    expect(missing.map(({ name }) => name)).toEqual([])
  })
  it('for a hosted service are not served by chance', () => {
    expect(publicOperations.filter((operation) => operation.tier === '3' && served(operation))).toEqual([])
  })
})

describe('the checks themselves', () => {
  const broken = {
    id: 'spaces.restore',
    method: 'POST',
    path: '/spaces/{spaceId}/restore',
    summary: 'x',
    policy: { can: 'spaces:write', on: 'space', at: 'params.spaceId' },
    params: z.object({ spaceId: z.string() }),
    reply: z.object({}),
    example: {},
  } satisfies Contract

  it('explain what to do about an endpoint without handler', async () => {
    expect(findUnserved([broken], await allFunctions())).toEqual([
      'spaces.restore is declared but not served: add `export const restore = serve(...)` to functions/spaces.ts',
    ])
  })
  it('explain what to do about an endpoint without example', () => {
    const { example: _, ...without } = broken
    expect(findBadExamples([without as unknown as Contract])[0]).toMatch(/has no example: add `example/)
    expect(findBadExamples([broken])[0]).toBe('the example of spaces.restore does not name the path parameter spaceId')
  })
  it('explain what to do about an endpoint without access rule', () => {
    const { policy: _, ...without } = broken
    expect(findUnlocatedPolicies([without as unknown as Contract])[0]).toMatch(/has no policy: add `policy/)
    expect(findUnlocatedPolicies([{ ...broken, policy: { can: 'spaces:write', on: 'space' } }])[0]).toMatch(
      /does not say where its id stands/,
    )
  })
})

const sourceOf = (directory: string): string =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n')

/** Topics of the specification that are not declared yet. May only shrink. */
const NOT_YET = 0

describe('topics', () => {
  const specified = Object.keys(SPECIFIED)
  it('are the ones of the specification', () => {
    expect(topics.map(({ topic }) => topic).filter((topic) => !specified.includes(topic))).toEqual([])
    expect(specified.length - topics.length).toBe(NOT_YET)
  })
  it('are all emitted by product code', async () => {
    const source = `${sourceOf('lib')}\n${sourceOf('functions')}`
    const unused = topics.filter(({ topic }) => {
      const name = topic.slice(topic.indexOf(':') + 1).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      return !new RegExp(`\\.${name}\\b|\\b${name}\\b.*Topic|'${topic}'`).test(source)
    })
    expect(unused.map(({ topic }) => topic)).toEqual([])
  })
})
