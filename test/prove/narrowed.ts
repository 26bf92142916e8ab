/**
 * The OpenAPI document for a generator of requests: where an id stands, ids that are there are tried beside any text. Otherwise
 * nearly every generated request ends at a 404, and nothing behind the door is tried.
 */
import { type Contract, pathOf } from '../../schemas/endpoint.ts'
import { endpoints } from '../../schemas/index.ts'
import { filled } from '../support/fixture.ts'

interface Parameter {
  name: string
  in: string
  schema: object
  example?: unknown
}
interface Operation {
  parameters: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
}

/** What removes gets things of its own, that others stay. */
export function narrowed(document: Document, ids: Record<string, string>, doomed: Record<string, string>): Document {
  const copy = structuredClone(document)
  for (const endpoint of endpoints) narrow(copy, endpoint, endpoint.method === 'DELETE' ? doomed : ids)
  return copy
}

function narrow(document: Document, contract: Contract, ids: Record<string, string>): void {
  const operation = document.paths[pathOf(contract)]![contract.method.toLowerCase()]!
  const { params = {}, query = {}, body } = filled(contract.example, ids)
  const given: Record<string, unknown> = { ...query, ...params }
  for (const parameter of operation.parameters) {
    const value = given[parameter.name]
    if (value === undefined) continue
    parameter.example = Array.isArray((parameter as { example?: unknown }).example) ? [value].flat() : value
    if (parameter.in === 'path' && /Id$/.test(parameter.name))
      parameter.schema = { anyOf: [{ const: value }, { const: ids[parameter.name] ?? value }, parameter.schema] }
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
