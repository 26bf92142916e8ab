import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints, topics } from '../../schemas/index.ts'
import { buildPath, type Contract } from '../../schemas/kit/endpoint.ts'
import { shapes } from '../../schemas/shapes.ts'
import { withComponents } from '../../scripts/reference/components.ts'
import { withDescriptions } from '../../scripts/reference/describe.ts'
import { COMMON } from '../../scripts/reference/descriptions/common.ts'
import { DOMAINS } from '../../scripts/reference/descriptions/domains.ts'
import { PLACES } from '../../scripts/reference/descriptions/places.ts'
import { buildOpenApi } from '../../scripts/reference/openapi.ts'

interface Media {
  schema?: object
  example?: unknown
}
interface Operation {
  operationId: string
  summary: string
  description: string
  security?: unknown[]
  parameters: { name: string; in: string; description?: string }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Media> }>
  'x-permission'?: { can: string; on: string }
  'x-idempotency-key': boolean
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation & { requestBody: { content: Record<string, Media> } } }>
  components: { responses: Record<string, { content: Record<string, Media> }> }
}

const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-unused-components': 'error',
  'security-defined': 'error',
  'operation-summary': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'path-parameters-defined': 'error',
  'path-declaration-must-exist': 'error',
  'no-identical-paths': 'error',
  'no-ambiguous-paths': 'off',
  'no-enum-type-mismatch': 'error',
  'no-schema-type-mismatch': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
} as const

const lintDocument = async (document: unknown): Promise<string[]> => {
  const config = await createConfig({ rules: RULES })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}

let document: Document
beforeAll(() => {
  document = withDescriptions(withComponents(buildOpenApi(endpoints, topics, '0'), shapes)) as unknown as Document
})

function propertiesOf(value: unknown, place: string): [place: string, name: string, description: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    if (['example', 'default', 'enum', 'const', 'mapping'].includes(key)) return []
    const own =
      key === 'properties' && !Array.isArray(value)
        ? Object.entries(part as Record<string, { description?: unknown }>).map(
            ([name, { description }]) => [place, name, description] as [string, string, unknown],
          )
        : []
    return [...own, ...propertiesOf(part, place)]
  })
}

const operationOf = (contract: Contract): Operation =>
  document.paths[buildPath(contract)]![contract.method.toLowerCase()]!

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, and its examples match their schemas', async () => {
    expect(await lintDocument(document)).toEqual([])
  })

  it('is rejected by the same validator for an invalid example or a broken reference', async () => {
    const path = '/api/v1/spaces'
    const broken = structuredClone({ ...document, paths: { [path]: document.paths[path]! } })
    const { post } = broken.paths[path] as { post: Operation }
    post.requestBody!.content['application/json']!.example = { name: 7 }
    post.responses['400'] = { $ref: '#/components/responses/nothing' }
    const rules = (await lintDocument(broken)).map((problem) => problem.split(' ')[0])
    expect(new Set(rules)).toEqual(
      new Set(['no-invalid-media-type-examples', 'no-unresolved-refs', 'no-unused-components']),
    )
  })

  it('describes every property and every parameter in a sentence', () => {
    const properties = (['components', 'paths', 'webhooks'] as const).flatMap((part) =>
      propertiesOf(document[part], part),
    )
    const parameters = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId, parameters: all }) =>
        all.map(({ name, description }) => [operationId, name, description] as const),
      )
    expect(properties.length).toBeGreaterThan(3000)
    expect(parameters.length).toBeGreaterThan(600)
    const isSentence = (text: unknown) => /^\S+ .+[.):`]$/s.test(String(text))
    const undescribed = [...properties, ...parameters].filter(([, , description]) => !isSentence(description))
    expect(undescribed.map(([place, name]) => `${place}.${name}`)).toEqual([])
  })

  it('describes the delivery of every topic, with an example that its declaration accepts', () => {
    expect(Object.keys(document.webhooks)).toEqual([...topics.map(({ topic }) => topic), 'custom'])
    for (const { topic, payload, context } of topics) {
      const { operationId, parameters, requestBody } = document.webhooks[topic]!.post
      expect(operationId).toMatch(/^on[A-Z][A-Za-z0-9]+$/)
      expect(parameters).toHaveLength(4)
      const example = requestBody.content['application/json']!.example as Record<string, unknown>
      expect(example, topic).toMatchObject({ topic, domain: topic.split(':')[0] })
      expect(requestBody.content['application/cloudevents+json']!.example, topic).toMatchObject({
        type: `wharf.${topic}`,
        data: example,
      })
      expect(payload.safeParse(example.payload).error, topic).toBeUndefined()
      expect(context.safeParse(example.context).error, topic).toBeUndefined()
    }
  })

  it('has no unused description', () => {
    const used = new Set<unknown>()
    JSON.stringify(document, (key, value) => {
      if (key === 'description') used.add(value)
      return value
    })
    const unused = Object.entries({ ...COMMON, ...DOMAINS, ...PLACES }).filter(([, text]) => !used.has(text))
    expect(unused.map(([name]) => name)).toEqual([])
    expect(Object.keys(COMMON).filter((name) => name in DOMAINS)).toEqual([])
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('documents %s completely', (_, contract) => {
    const { policy, method } = contract
    const operation = operationOf(contract)
    expect(operation.summary).toMatch(/\w+ \w+/)
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {}))
      expect(media.example, type).toBeDefined()
    if (contract.reply !== 'bytes')
      expect(operation.responses['200']!.content!['application/json']!.example).toBeDefined()

    const statuses = Object.keys(operation.responses)
    expect(statuses).toEqual(expect.arrayContaining(['200', '400', '429', '500']))
    expect(operation.responses['431']).toEqual({ $ref: '#/components/responses/headers-too-large' })
    // 431 comes from the gateway, without a body.
    const errors = Object.entries(operation.responses).filter(([status]) => status >= '400' && status !== '431')
    for (const [status, { $ref }] of errors) {
      const [, name] = /^#\/components\/responses\/(.+)$/.exec($ref ?? '') ?? []
      const example = document.components.responses[name!]?.content['application/json']?.example
      expect(example, status).toMatchObject({ errors: [{ key: expect.any(String), message: expect.any(String) }] })
    }

    const guarded = 'on' in policy
    expect(operation['x-permission']).toEqual(guarded ? { can: policy.can, on: policy.on } : undefined)
    expect(operation.description).toContain(guarded ? `Requires the permission \`${policy.can}\`` : '')
    if (guarded) expect(statuses).toEqual(expect.arrayContaining(['401', '403']))
    else expect(operation.security).toEqual([])

    const repeatable = method === 'POST' && guarded
    expect(operation['x-idempotency-key']).toBe(repeatable)
    expect(operation.parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(repeatable)
    if (repeatable) expect(statuses).toEqual(expect.arrayContaining(['409', '422']))
  })
})
