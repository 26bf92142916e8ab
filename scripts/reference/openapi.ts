import { buildPath, type Contract, getDomain, getMaxBodyBytes } from '../../schemas/kit/endpoint.ts'
import { ERROR_STATUS, ErrorBody, ProblemDetails } from '../../schemas/kit/error-codes.ts'
import { ID_PREFIXES, type Kind } from '../../schemas/kit/ids.ts'
import type { Topic } from '../../schemas/kit/topic.ts'
import { acceptsIdempotencyKey, errorResponses, getErrorCodes } from './error-responses.ts'
import { type Json, toJsonSchema } from './json-schema.ts'
import { buildLinks } from './links.ts'
import { buildSample, fillPlaceholders } from './samples.ts'
import { formatBytes } from './sizes.ts'
import { buildWebhooks, WEBHOOK_HEADERS } from './webhooks.ts'

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeating a request with the same key within a day returns the first response without executing it again. Returns 409 while the first request is in progress and 422 if the request differs.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}

function buildParameters(contract: Contract): Json[] {
  const { example } = contract
  const parts = [
    ['path', contract.params, example.params],
    ['query', contract.query, example.query],
  ] as const
  const declared = parts.flatMap(([location, shape, exampleValue]) => {
    if (!shape) return []
    const schema = toJsonSchema(shape, location === 'query' ? 'query' : 'input') as {
      properties?: Record<string, Json>
      required?: string[]
    }
    const values: Json = fillPlaceholders({ ...exampleValue })
    return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      in: location,
      required: location === 'path' || (schema.required ?? []).includes(name),
      schema: property,
      ...(values[name] === undefined ? {} : { example: parseExample(property, values[name]) }),
      ...(location === 'query' ? { style: 'form', explode: true } : {}),
    }))
  })
  return acceptsIdempotencyKey(contract) ? [...declared, IDEMPOTENCY_KEY] : declared
}

function parseExample({ type }: Json, exampleValue: unknown): unknown {
  if (type === 'array') return [exampleValue].flat()
  return type === 'integer' || type === 'boolean' ? JSON.parse(String(exampleValue)) : exampleValue
}

function buildRequestBody(contract: Contract): Json | undefined {
  const { body, bodyType, bodyOptional, example } = contract
  const description = `At most ${formatBytes(getMaxBodyBytes(contract))} after decompression; larger bodies return 413 \`too-large\`.`
  if (bodyType === 'jsonl')
    return {
      description,
      required: true,
      // Client generators that do not support JSON Lines send bytes; the content type makes no difference.
      content: {
        'application/jsonl': { schema: { type: 'string' }, example: fillPlaceholders(example.body) },
        'application/octet-stream': {
          schema: { type: 'string', format: 'binary' },
          example: fillPlaceholders(example.body),
        },
      },
    }
  if (!body) return undefined
  const schema = toJsonSchema(body, 'input')
  const exampleValue = example.body === undefined ? buildSample(schema) : fillPlaceholders(example.body)
  if (bodyType === 'form')
    return {
      description,
      required: true,
      content: {
        'application/x-www-form-urlencoded': { schema, example: exampleValue },
        'application/json': { schema, example: exampleValue },
      },
    }
  if (bodyType === 'multipart')
    return { description, required: true, content: { 'multipart/form-data': { schema, example: exampleValue } } }
  return { description, required: !bodyOptional, content: { 'application/json': { schema, example: exampleValue } } }
}

function getKind({ id, policy }: Contract): Kind | undefined {
  const domain = getDomain({ id }).replace(/s$/, '')
  if (domain in ID_PREFIXES) return domain as Kind
  return 'on' in policy && policy.on in ID_PREFIXES ? (policy.on as Kind) : undefined
}

function buildSuccessResponse(contract: Contract): Json {
  const { reply, replyTypes = ['application/octet-stream'] } = contract
  if (reply === 'bytes') {
    const schema = { type: 'string', contentMediaType: 'application/octet-stream' }
    return {
      description: 'Done',
      content: Object.fromEntries(replyTypes.map((type) => [type, type === 'application/json' ? {} : { schema }])),
    }
  }
  const schema = toJsonSchema(reply, 'output')
  const example = contract.example.reply === undefined ? buildSample(schema, getKind(contract)) : contract.example.reply
  return { description: 'Done', content: { 'application/json': { schema, example } } }
}

const LOCATION_HEADER = { location: { description: 'Redirect target', schema: { type: 'string' } } }
const ALTERNATIVE_RESPONSES = {
  large: {
    302: {
      description: 'The response is too large to return directly. Fetch it from this URL within 5 minutes',
      headers: LOCATION_HEADER,
    },
  },
  redirect: { 302: { description: 'Redirect to another page', headers: LOCATION_HEADER } },
  range: {
    206: { description: 'The requested range', content: { '*/*': {} } },
    416: { $ref: '#/components/responses/no-such-range' },
  },
  unchanged: { 304: { description: 'Not modified' } },
} as const

function describePermission({ policy }: Contract): { permission?: Json; text: string } {
  if ('public' in policy) return { text: 'Public: does not require a token.' }
  if ('subscription' in policy) return { text: 'Requires a subscription token for the channel, in `auth`.' }
  const { can, on, key, guests } = policy
  const target = on === 'environments' ? 'the environments the caller can access' : `the ${on}`
  const keyNote = key ? ` A publishable key in \`${key.replace('query.', '')}\` can replace the bearer token.` : ''
  const ownNote = guests === 'own' ? ` Guests can only do this with a ${on} they created.` : ''
  return { permission: { can, on }, text: `Requires the permission \`${can}\` on ${target}.${ownNote}${keyNote}` }
}

const buildKeySecurity = ({ policy }: Contract): Json =>
  'key' in policy && policy.key ? { security: [{ bearer: [] }, {}] } : {}

const describeIdempotency = (contract: Contract): string => {
  const secrets = contract.secrets?.map((name) => `\`${name}\``).join(', ')
  if (acceptsIdempotencyKey(contract) && secrets)
    return ` Accepts an \`Idempotency-Key\`. Responses that contain a secret (${secrets}) cannot be repeated and return 409.`
  if (acceptsIdempotencyKey(contract)) return ' Accepts an `Idempotency-Key`.'
  return contract.method === 'GET' ? '' : ' Does not accept an `Idempotency-Key`.'
}

function buildOperation(contract: Contract, endpoints: readonly Contract[]): Json {
  const body = buildRequestBody(contract)
  const links = buildLinks(contract, endpoints)
  const { permission, text: permissionText } = describePermission(contract)
  const errors = getErrorCodes(contract).map((code) => [ERROR_STATUS[code], { $ref: `#/components/responses/${code}` }])
  const descriptions = [
    contract.description,
    contract.example.note && `Example: \`${fillPlaceholders(contract.example.note)}\``,
  ]
  return {
    operationId: contract.id,
    tags: [getDomain(contract)],
    summary: contract.summary,
    description: [...descriptions, permissionText + describeIdempotency(contract)].filter(Boolean).join('\n\n'),
    ...(permission ? buildKeySecurity(contract) : { security: [] }),
    ...(permission ? { 'x-permission': permission } : {}),
    'x-idempotency-key': acceptsIdempotencyKey(contract),
    ...(contract.audit ? { 'x-audited': true } : {}),
    parameters: buildParameters(contract),
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: { ...buildSuccessResponse(contract), ...(Object.keys(links).length > 0 ? { links } : {}) },
      ...Object.assign({}, ...(contract.also ?? []).map((name) => ALTERNATIVE_RESPONSES[name])),
      431: { $ref: '#/components/responses/headers-too-large' },
      ...Object.fromEntries(errors as [number, Json][]),
    },
  }
}

export function buildOpenApi(endpoints: readonly Contract[], topics: readonly Topic[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = buildPath(endpoint)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: buildOperation(endpoint, endpoints) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wharf',
      version,
      description:
        'Open data import platform. Errors have the body `{"errors":[{"key","message"}]}` and list all problems.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(endpoints.map(getDomain))].map((name) => ({ name })),
    paths,
    webhooks: buildWebhooks(topics),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Secret key, personal access token, or access token of a user, guest or agent.',
        },
      },
      parameters: WEBHOOK_HEADERS,
      responses: errorResponses(),
      schemas: { Errors: toJsonSchema(ErrorBody, 'output'), ProblemDetails: toJsonSchema(ProblemDetails, 'output') },
    },
  }
}
