/** The declared endpoints as an OpenAPI 3.1 document. Pure: `npm run gen` writes it, a test fails when it is stale. */
import * as z from 'zod'
import { type Contract, domainOf, pathOf } from '../../schemas/endpoint.ts'
import { ERROR_STATUS, ErrorBody, type ErrorCode } from '../../schemas/errors.ts'

export type Json = { [key: string]: unknown }

/** A shape as JSON schema, everything in place. */
export const schemaOf = (shape: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any', reused: 'inline' }) as Json
  return schema
}

/** What any endpoint may answer beside its own errors. */
const errorsOf = (contract: Contract): ErrorCode[] => {
  const { policy } = contract
  const guarded: ErrorCode[] =
    'on' in policy ? ['unauthenticated', 'forbidden'] : 'subscription' in policy ? ['forbidden'] : []
  const named = (contract.path.includes('{') && 'on' in policy) || 'at' in policy
  const found: ErrorCode[] = named ? ['not-found'] : []
  const sent: ErrorCode[] = contract.body ? ['too-large'] : []
  const repeated: ErrorCode[] = takesKey(contract) ? ['conflict', 'unprocessable'] : []
  return [
    ...new Set<ErrorCode>([
      'invalid',
      ...guarded,
      ...found,
      ...sent,
      ...(contract.errors ?? []),
      ...repeated,
      'too-many-requests',
      'internal',
      'timed-out',
    ]),
  ]
}

/** A POST by somebody can be repeated under a key. */
const takesKey = ({ method, policy }: Contract): boolean => method === 'POST' && 'on' in policy

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeated with the same key the request is done once and answered alike for a day: 409 while it is being worked on, 422 for another request.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function parametersOf(contract: Contract): Json[] {
  const parts = [
    ['path', contract.params],
    ['query', contract.query],
  ] as const
  const declared = parts.flatMap(([place, shape]) => {
    if (!shape) return []
    const schema = schemaOf(shape, 'input') as { properties?: Record<string, Json>; required?: string[] }
    return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || (schema.required ?? []).includes(name),
      schema: property,
      ...(place === 'query' ? { style: 'form', explode: true } : {}),
    }))
  })
  return takesKey(contract) ? [...declared, IDEMPOTENCY_KEY] : declared
}

function requestBody(contract: Contract): Json | undefined {
  if (contract.bodyType === 'multipart')
    return {
      required: true,
      content: {
        'multipart/form-data': { schema: contract.body ? schemaOf(contract.body, 'input') : { type: 'object' } },
      },
    }
  if (contract.bodyType === 'jsonl')
    return { required: true, content: { 'application/jsonl': { schema: { type: 'string' } } } }
  if (!contract.body) return undefined
  return {
    required: !contract.bodyOptional,
    content: {
      'application/json': {
        schema: schemaOf(contract.body, 'input'),
        ...(contract.example.body === undefined ? {} : { example: contract.example.body }),
      },
    },
  }
}

function operationOf(contract: Contract): Json {
  const body = requestBody(contract)
  const content =
    contract.reply === 'bytes'
      ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: schemaOf(contract.reply, 'output') } }
  const errors = Object.fromEntries(
    errorsOf(contract).map((code) => [
      ERROR_STATUS[code],
      { description: code, content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } } },
    ]),
  )
  return {
    operationId: contract.id,
    tags: [domainOf(contract)],
    summary: contract.summary,
    ...(contract.description ? { description: contract.description } : {}),
    ...('on' in contract.policy ? {} : { security: [] }),
    parameters: parametersOf(contract),
    ...(body ? { requestBody: body } : {}),
    responses: { 200: { description: 'Done', content }, ...errors },
  }
}

export function openApi(endpoints: readonly Contract[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = pathOf(endpoint)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Wharf', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'http://127.0.0.1:3000' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Errors: schemaOf(ErrorBody, 'output') },
    },
  }
}
