/**
 * The OpenAPI document for a generator of requests: where an id stands, ids that are there are tried beside any text. Otherwise
 * nearly every generated request ends at a 404, and nothing behind the door is tried.
 */
import { withIds } from '../../lib/reference/samples.ts'
import { type Contract, pathOf } from '../../schemas/endpoint.ts'
import { endpoints } from '../../schemas/index.ts'
import { filled } from '../support/fixture.ts'

interface Parameter {
  name: string
  in: string
  schema: object
  example?: unknown
}
interface Schema {
  properties?: Record<string, object>
}
interface Operation {
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> }
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
}

/** How often an id that is there is tried: beside anything else, or always, so that chains of requests come to something. */
export type Ids = 'tried' | 'given'

/** What removes gets things of its own, that others stay. */
export function narrowed(
  document: Document,
  ids: Record<string, string>,
  doomed: Record<string, string>,
  how: Ids,
): Document {
  const copy = JSON.parse(real(JSON.stringify(document), ids)) as Document
  for (const endpoint of endpoints) narrow(copy, endpoint, endpoint.method === 'DELETE' ? doomed : ids, how)
  return copy
}

/** The document's own samples are ids of nothing. */
function real(text: string, ids: Record<string, string>): string {
  let replaced = text
  for (const [name, id] of Object.entries(ids)) {
    const sample = withIds(`{${name}}`)
    if (/^us_[a-z]+_/.test(sample) && /^us_[a-z]+_/.test(id)) replaced = replaced.replaceAll(sample, id)
  }
  return replaced
}

function narrow(document: Document, contract: Contract, ids: Record<string, string>, how: Ids): void {
  const operation = document.paths[pathOf(contract)]![contract.method.toLowerCase()]!
  const { params = {}, query = {}, body } = filled(contract.example, ids)
  narrowBody(operation, body, how)
  const given: Record<string, unknown> = { ...query, ...params }
  for (const parameter of operation.parameters) {
    const value = given[parameter.name]
    if (value === undefined) continue
    parameter.example = Array.isArray((parameter as { example?: unknown }).example) ? [value].flat() : value
    if (isId(value)) parameter.schema = either(value, parameter.schema, how)
  }
  const content = operation.requestBody?.content
  // The generator writes text as text/plain only; the platform reads lines whatever they are called.
  if (content?.['application/jsonl']) {
    content['text/plain'] = content['application/jsonl']
    delete content['application/jsonl']
  }
  for (const media of Object.values(operation.requestBody?.content ?? {}))
    if (body !== undefined && media.example !== undefined) media.example = body
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^us_[a-z]+_\w+$/.test(value)

const either = (id: string, schema: object, how: Ids): object =>
  how === 'given' ? { const: id } : { anyOf: [{ const: id }, schema] }

/** The ids an example gives in its body. */
function narrowBody({ requestBody }: Operation, example: unknown, how: Ids): void {
  const properties = requestBody?.content['application/json']?.schema?.properties
  if (!properties || typeof example !== 'object' || example === null) return
  for (const [name, value] of Object.entries(example))
    if (isId(value) && properties[name]) properties[name] = either(value, properties[name], how)
}

/** Of the document the operations at some places in their order. */
export function reduced(document: Document, only: (index: number) => boolean = () => true): Document {
  let index = 0
  const paths: Document['paths'] = {}
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      if (only(index++)) paths[path] = { ...paths[path], [method]: operation }
  return { ...document, paths }
}
