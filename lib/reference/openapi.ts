/** The declared endpoints as an OpenAPI 3.1 document. Pure: `npm run gen` writes it, a test fails when it is stale. */
import { bodyBytesOf, type Contract, domainOf, pathOf } from '../../schemas/endpoint.ts'
import { ERROR_STATUS, ErrorBody } from '../../schemas/errors.ts'
import { ID_PREFIXES, type Kind } from '../../schemas/ids.ts'
import { errorResponses, errorsOf, takesKey } from './answers.ts'
import { type Json, schemaOf } from './json-schema.ts'
import { linksOf } from './links.ts'
import { sampleOf, withIds } from './samples.ts'
import { sized } from './sizes.ts'

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeated with the same key the request is done once and answered alike for a day: 409 while it is being worked on, 422 for another request.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}

function parametersOf(contract: Contract): Json[] {
  const { example } = contract
  const parts = [
    ['path', contract.params, example.params],
    ['query', contract.query, example.query],
  ] as const
  const declared = parts.flatMap(([place, shape, given]) => {
    if (!shape) return []
    const schema = schemaOf(shape, place === 'query' ? 'query' : 'input') as {
      properties?: Record<string, Json>
      required?: string[]
    }
    const values: Json = withIds({ ...given })
    return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || (schema.required ?? []).includes(name),
      schema: property,
      ...(values[name] === undefined ? {} : { example: parsedAs(property, values[name]) }),
      ...(place === 'query' ? { style: 'form', explode: true } : {}),
    }))
  })
  return takesKey(contract) ? [...declared, IDEMPOTENCY_KEY] : declared
}

/** Examples of parameters are texts, as they are sent. */
function parsedAs({ type }: Json, given: unknown): unknown {
  if (type === 'array') return [given].flat()
  return type === 'integer' || type === 'boolean' ? JSON.parse(String(given)) : given
}

function requestBody(contract: Contract): Json | undefined {
  const { body, bodyType, bodyOptional, example } = contract
  const description = `At most ${sized(bodyBytesOf(contract))}, inflated; a larger one is a 413 \`too-large\`.`
  if (bodyType === 'jsonl')
    return {
      description,
      required: true,
      // Generators of clients that know no JSON lines send bytes: the platform reads lines whatever they are called.
      content: {
        'application/jsonl': { schema: { type: 'string' }, example: withIds(example.body) },
        'application/octet-stream': { schema: { type: 'string', format: 'binary' }, example: withIds(example.body) },
      },
    }
  if (!body) return undefined
  const schema = schemaOf(body, 'input')
  const given = example.body === undefined ? sampleOf(schema) : withIds(example.body)
  if (bodyType === 'multipart')
    return { description, required: true, content: { 'multipart/form-data': { schema, example: given } } }
  return { description, required: !bodyOptional, content: { 'application/json': { schema, example: given } } }
}

/** Of what kind the things are an endpoint is about. */
function kindOf({ id, policy }: Contract): Kind | undefined {
  const domain = domainOf({ id }).replace(/s$/, '')
  if (domain in ID_PREFIXES) return domain as Kind
  return 'on' in policy && policy.on in ID_PREFIXES ? (policy.on as Kind) : undefined
}

function done(contract: Contract): Json {
  const { reply, replyTypes = ['application/octet-stream'] } = contract
  if (reply === 'bytes') {
    const schema = { type: 'string', contentMediaType: 'application/octet-stream' }
    return {
      description: 'Done',
      content: Object.fromEntries(replyTypes.map((type) => [type, type === 'application/json' ? {} : { schema }])),
    }
  }
  const schema = schemaOf(reply, 'output')
  const example = contract.example.reply === undefined ? sampleOf(schema, kindOf(contract)) : contract.example.reply
  return { description: 'Done', content: { 'application/json': { schema, example } } }
}

const LOCATION = { location: { description: 'Where it is', schema: { type: 'string' } } }
const ALSO = {
  large: {
    302: { description: 'The answer is large: it is read from this address, for 5 minutes', headers: LOCATION },
  },
  redirect: { 302: { description: 'Another page', headers: LOCATION } },
  range: {
    206: { description: 'The bytes asked for', content: { '*/*': {} } },
    416: { $ref: '#/components/responses/no-such-range' },
  },
  unchanged: { 304: { description: 'The caller has it already' } },
} as const

/** Who may: as data for tools, and in words. */
function permissionOf({ policy }: Contract): { permission?: Json; words: string } {
  if ('public' in policy) return { words: 'Public: needs no token.' }
  if ('subscription' in policy) return { words: 'Needs a subscription token for the channel, in `auth`.' }
  const { can, on, key, guests } = policy
  const where = on === 'environments' ? 'the environments it reaches' : `the ${on}`
  const instead = key ? ` A publishable key may stand in \`${key.replace('query.', '')}\` in place of a bearer.` : ''
  const own = guests === 'own' ? ` Guests may do this only with a ${on} they created themselves.` : ''
  return { permission: { can, on }, words: `Needs the permission \`${can}\` on ${where}.${own}${instead}` }
}

/** No bearer is needed where a key may stand elsewhere. */
const keyInPlace = ({ policy }: Contract): Json =>
  'key' in policy && policy.key ? { security: [{ bearer: [] }, {}] } : {}

const repeatedBy = (contract: Contract): string => {
  const secrets = contract.secrets?.map((name) => `\`${name}\``).join(', ')
  if (takesKey(contract) && secrets)
    return ` Takes an \`Idempotency-Key\`; a response with a secret (${secrets}) is not repeated: 409.`
  if (takesKey(contract)) return ' Takes an `Idempotency-Key`.'
  return contract.method === 'GET' ? '' : ' Takes no `Idempotency-Key`.'
}

function operationOf(contract: Contract, endpoints: readonly Contract[]): Json {
  const body = requestBody(contract)
  const links = linksOf(contract, endpoints)
  const { permission, words } = permissionOf(contract)
  const errors = errorsOf(contract).map((code) => [ERROR_STATUS[code], { $ref: `#/components/responses/${code}` }])
  const described = [contract.description, contract.example.note && `Example: \`${withIds(contract.example.note)}\``]
  return {
    operationId: contract.id,
    tags: [domainOf(contract)],
    summary: contract.summary,
    description: [...described, words + repeatedBy(contract)].filter(Boolean).join('\n\n'),
    ...(permission ? keyInPlace(contract) : { security: [] }),
    ...(permission ? { 'x-permission': permission } : {}),
    'x-idempotency-key': takesKey(contract),
    ...(contract.audit ? { 'x-audited': true } : {}),
    parameters: parametersOf(contract),
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: { ...done(contract), ...(Object.keys(links).length > 0 ? { links } : {}) },
      ...Object.assign({}, ...(contract.also ?? []).map((name) => ALSO[name])),
      431: { $ref: '#/components/responses/headers-too-large' },
      ...Object.fromEntries(errors as [number, Json][]),
    },
  }
}

export function openApi(endpoints: readonly Contract[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = pathOf(endpoint)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, endpoints) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wharf',
      version,
      description:
        'An open data import platform. Errors are always `{"errors":[{"key","message"}]}`, every problem at once.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(endpoints.map(domainOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key, a personal access token, or the access token of a user, guest or agent.',
        },
      },
      responses: errorResponses(),
      schemas: { Errors: schemaOf(ErrorBody, 'output') },
    },
  }
}
