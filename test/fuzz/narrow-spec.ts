/** Adds existing ids to the OpenAPI document: otherwise nearly every generated request ends in a 404. */

import { endpoints } from '../../schemas/index.ts'
import { buildPath, type Contract } from '../../schemas/kit/endpoint.ts'
import { fillPlaceholders } from '../../scripts/reference/samples.ts'
import { fillExample } from '../support/fixture.ts'

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

export type Ids = 'tried' | 'given'

export function narrowDocument(
  document: Document,
  ids: Record<string, string>,
  doomed: Record<string, string>,
  how: Ids,
): Document {
  const copy = JSON.parse(replaceIds(JSON.stringify(document), ids)) as Document
  for (const endpoint of endpoints) narrowOperation(copy, endpoint, endpoint.method === 'DELETE' ? doomed : ids, how)
  return copy
}

function replaceIds(text: string, ids: Record<string, string>): string {
  let replaced = text
  for (const [name, id] of Object.entries(ids)) {
    const sample = fillPlaceholders(`{${name}}`)
    if (/^us_[a-z]+_/.test(sample) && /^us_[a-z]+_/.test(id)) replaced = replaced.replaceAll(sample, id)
  }
  return replaced
}

function narrowOperation(document: Document, contract: Contract, ids: Record<string, string>, how: Ids): void {
  const operation = document.paths[buildPath(contract)]![contract.method.toLowerCase()]!
  const { params = {}, query = {}, body } = fillExample(contract.example, ids)
  narrowBody(operation, body, how)
  const given: Record<string, unknown> = { ...query, ...params }
  for (const parameter of operation.parameters) {
    const value = given[parameter.name]
    if (value === undefined) continue
    parameter.example = Array.isArray((parameter as { example?: unknown }).example) ? [value].flat() : value
    if (isId(value)) parameter.schema = allowId(value, parameter.schema, how)
  }
  const content = operation.requestBody?.content
  if (content?.['application/jsonl']) {
    content['text/plain'] = content['application/jsonl']
    delete content['application/jsonl']
  }
  for (const media of Object.values(operation.requestBody?.content ?? {}))
    if (body !== undefined && media.example !== undefined) media.example = body
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^us_[a-z]+_\w+$/.test(value)

const allowId = (id: string, schema: object, how: Ids): object =>
  how === 'given' ? { const: id } : { anyOf: [{ const: id }, schema] }

function narrowBody({ requestBody }: Operation, example: unknown, how: Ids): void {
  const properties = requestBody?.content['application/json']?.schema?.properties
  if (!properties || typeof example !== 'object' || example === null) return
  for (const [name, value] of Object.entries(example))
    if (isId(value) && properties[name]) properties[name] = allowId(value, properties[name], how)
}

export function selectOperations(document: Document, only: (index: number) => boolean = () => true): Document {
  let index = 0
  const paths: Document['paths'] = {}
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      if (only(index++)) paths[path] = { ...paths[path], [method]: operation }
  return { ...document, paths }
}
