import { slugify } from '../../lib/reference/anchors.ts'
import type { Page } from './pages.ts'
import { escapeCell, formatProperties, formatRow, formatType, type Schema } from './schema-text.ts'

interface Media {
  schema?: Schema
  example?: unknown
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

interface Operation {
  tags: string[]
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { description?: string; content: Record<string, Media> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Media> }>
}

export interface OpenApi {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

interface Endpoint {
  method: string
  path: string
  operation: Operation
}

const SHAPES = 'shapes.md'
const JSON_TYPE = 'application/json'
const HEAD = '| name | type | meaning |\n|---|---|---|\n'

const formatTable = (title: string, rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : [`**${title}**\n\n${HEAD}${rows.join('\n')}`]

const formatJson = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

function formatCurl({ method, path, operation }: Endpoint): string {
  const { parameters = [], requestBody } = operation
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(parameters.find((parameter) => parameter.name === name)?.example ?? whole),
  )
  const body = requestBody?.content[JSON_TYPE]?.example
  const lines = [
    `curl ${method === 'get' || (method === 'post' && body !== undefined) ? '' : `-X ${method.toUpperCase()} `}"$ORIGIN${filled}"`,
    `-H "Authorization: Bearer $KEY"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
  ]
  return `\`\`\`sh\n${lines.join(' \\\n  ')}\n\`\`\``
}

function formatBody({ requestBody }: Operation): string[] {
  if (!requestBody) return []
  const { description = '', content } = requestBody
  const [type = JSON_TYPE, { schema = {} } = {}] = Object.entries(content)[0] ?? []
  const rows = formatProperties(schema, SHAPES)
  const kind = schema.$ref || rows.length === 0 ? `${formatType(schema, SHAPES)}. ` : ''
  return [`**Body**, \`${type}\`: ${kind}${description}`, ...(rows.length === 0 ? [] : [HEAD + rows.join('\n')])]
}

function formatResponse({ responses }: Operation): string[] {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const errors = Object.keys(responses).filter((code) => /^[45]/.test(code))
  const [type, media] = Object.entries(response?.content ?? {})[0] ?? []
  const rows = type === JSON_TYPE ? formatProperties(media?.schema ?? {}, SHAPES) : []
  const links = errors.map((code) => `\`${code}\``).join(', ')
  return [
    ...(status === undefined ? [] : [`**Response** \`${status}\`${type === undefined ? '' : `, \`${type}\``}`]),
    ...(rows.length === 0 ? [] : [HEAD + rows.join('\n')]),
    ...(type === JSON_TYPE && media?.example !== undefined ? [formatJson(media.example)] : []),
    ...(errors.length === 0 ? [] : [`**Errors** ${links} ([what they mean](../reference/errors.md))`]),
  ]
}

function formatEndpoint(endpoint: Endpoint): string {
  const { method, path, operation } = endpoint
  const rows = (operation.parameters ?? []).map(({ name, schema, description, required = false }) =>
    formatRow(name, { ...schema, description: description ?? schema.description }, required, SHAPES),
  )
  return [
    `## ${operation.summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    ...(operation.description ? [operation.description] : []),
    formatCurl(endpoint),
    ...formatTable('Parameters', rows),
    ...formatBody(operation),
    ...formatResponse(operation),
  ].join('\n\n')
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const compareEndpoints = (one: Endpoint, other: Endpoint): number =>
  one.path.localeCompare(other.path, 'en') || METHODS.indexOf(one.method) - METHODS.indexOf(other.method)

const titleOf = (tag: string): string => tag[0]!.toUpperCase() + tag.slice(1)

const describeDomain = (endpoints: readonly Endpoint[]): string =>
  `Endpoints of the API: ${endpoints.map(({ operation }) => operation.summary).join('; ')}.`

function formatIndex(domains: ReadonlyMap<string, Endpoint[]>, version: string): string {
  const parts = [...domains].map(([tag, endpoints]) => {
    const rows = endpoints.map(
      ({ method, path, operation }) =>
        `| \`${method.toUpperCase()} ${path}\` | [${escapeCell(operation.summary)}](${tag}.md#${slugify(operation.summary)}) |`,
    )
    return `## ${titleOf(tag)}\n\n| endpoint | what it does |\n|---|---|\n${rows.join('\n')}`
  })
  return [
    '# All endpoints',
    `Version ${version}, from [the OpenAPI document](/openapi.json). A running platform serves the same document at \`/api/v1/openapi.json\`, and at \`/docs\` you can try each endpoint.`,
    'In the examples, `ORIGIN` is the address that `npm start` prints (`http://127.0.0.1:3000`), and `KEY` a secret key.',
    ...parts,
  ].join('\n\n')
}

function formatShape(name: string, schema: Schema): string {
  const rows = formatProperties(schema, '')
  const text = rows.length === 0 ? formatType(schema, '') : HEAD + rows.join('\n')
  return [`## ${name}`, ...(schema.description ? [schema.description] : []), text].join('\n\n')
}

export function renderApiPages({ info, paths, components }: OpenApi): Page[] {
  const domains = new Map<string, Endpoint[]>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = 'other'] = operation.tags
      domains.set(tag, [...(domains.get(tag) ?? []), { method, path, operation }])
    }
  for (const endpoints of domains.values()) endpoints.sort(compareEndpoints)
  const shapes = Object.entries(components.schemas).map(([name, schema]) => formatShape(name, schema))
  return [
    { path: 'api/index', title: 'All endpoints', markdown: formatIndex(domains, info.version) },
    ...[...domains].map(([tag, endpoints]) => ({
      path: `api/${tag}`,
      title: titleOf(tag),
      markdown: [`# ${titleOf(tag)}`, describeDomain(endpoints), ...endpoints.map(formatEndpoint)].join('\n\n'),
    })),
    {
      path: 'api/shapes',
      title: 'Shapes',
      markdown: ['# Shapes', 'The objects of requests and responses, by name.', ...shapes].join('\n\n'),
    },
  ]
}
