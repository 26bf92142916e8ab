export type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; type?: unknown }

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
}

type Content = Record<string, { schema?: Schema }>

interface DocumentedOperation {
  operationId: string
  summary: string
  'x-idempotency-key': boolean
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** `data` is a reply with no other property than `data`, which the method returns. `bytes` is not JSON. */
export type ReplyKind = 'data' | 'json' | 'bytes'

export interface Operation {
  id: string
  domain: string
  name: string
  method: string
  path: string
  summary: string
  params: string[]
  query?: Schema
  isQueryRequired: boolean
  body?: { schema: Schema; type: 'json' | 'form' | 'lines'; isRequired: boolean }
  reply?: Schema
  replyKind: ReplyKind
  acceptsKey: boolean
  paging?: { by: 'pageNumber' | 'before'; maxSize: number; item: Schema }
}

const JSON_TYPE = 'application/json'

export const listOperations = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => readOperation(path, method.toUpperCase(), operation)),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1))

function readOperation(path: string, method: string, operation: DocumentedOperation): Operation {
  const { operationId: id, summary, parameters } = operation
  const [domain, name] = id.split('.') as [string, string]
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const { reply, replyKind } = readReply(operation)
  return {
    ...{ id, domain, name, method, path, summary, reply, replyKind },
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param!),
    query: queries.length > 0 ? toObjectSchema(queries) : undefined,
    isQueryRequired: queries.some(({ required }) => required),
    body: readBody(operation),
    acceptsKey: operation['x-idempotency-key'],
    paging: readPaging(queries, reply),
  }
}

function readReply({ responses }: DocumentedOperation): Pick<Operation, 'reply' | 'replyKind'> {
  const content = responses['200']?.content ?? {}
  const schema = Object.keys(content).length === 1 ? content[JSON_TYPE]?.schema : undefined
  if (!schema) return { replyKind: 'bytes' }
  const names = Object.keys(schema.properties ?? {})
  return names.join() === 'data'
    ? { reply: schema.properties!.data, replyKind: 'data' }
    : { reply: schema, replyKind: 'json' }
}

function readBody({ operationId, requestBody }: DocumentedOperation): Operation['body'] {
  if (!requestBody) return undefined
  const { required: isRequired, content } = requestBody
  const json = content[JSON_TYPE]?.schema
  if (json) return { schema: json, type: 'json', isRequired }
  const form = content['multipart/form-data']?.schema
  if (form) return { schema: form, type: 'form', isRequired }
  if (!content['application/jsonl']) throw new Error(`The client cannot send the body of ${operationId}.`)
  return { schema: { anyOf: [{ type: 'string' }, { type: 'string', format: 'binary' }] }, type: 'lines', isRequired }
}

function readPaging(queries: readonly Parameter[], reply: Schema | undefined): Operation['paging'] {
  const by = (['pageNumber', 'before'] as const).find((param) => queries.some(({ name }) => name === param))
  const size = queries.find(({ name }) => name === 'pageSize')?.schema.maximum
  const list = [reply, reply?.properties?.data, reply?.properties?.records].find((schema) => schema?.type === 'array')
  return by && list && size ? { by, maxSize: Number(size), item: list.items as Schema } : undefined
}

const toObjectSchema = (parameters: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { description, ...schema }]),
  ) as Record<string, Schema>,
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
})
