import type { READ_TOOLS } from '../../schemas/generated/mcp-tools.ts'
import { type Api, type ApiRequest, RefusedError } from './api.ts'
import { shortenRecord } from './results.ts'

export type ReadToolName = (typeof READ_TOOLS)[number]['name']

interface GeneratedReadTool {
  name: ReadToolName
  inputSchema: { properties: object }
  request: { method: string; path: string; query: readonly string[] }
}

const API_PREFIX = '/api/v1'

export function buildReadRequest(tool: GeneratedReadTool, args: Record<string, unknown>): ApiRequest {
  const known = Object.keys(tool.inputSchema.properties)
  const unknownNames = Object.keys(args).filter((name) => !known.includes(name))
  if (unknownNames.length > 0)
    throw new RefusedError(`${tool.name} has no parameters ${unknownNames.join(', ')}. It has ${known.join(', ')}.`)
  const { path, query } = tool.request
  return {
    method: 'GET',
    path: path.slice(API_PREFIX.length).replace(/\{(\w+)\}/g, (_, name: string) => fillSegment(name, args[name])),
    query: Object.fromEntries(query.map((name) => [name, args[name]])),
  }
}

function fillSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new RefusedError(`${name} is required.`)
  return encodeURIComponent(value)
}

/** Results that are shorter for a model than the reply of the endpoint. */
// biome-ignore lint/suspicious/noExplicitAny: replies have the types of their endpoints
const SHORTENED: Partial<Record<ReadToolName, (reply: any) => unknown>> = {
  read_records: ({ data }) => ({ ...data, success: undefined, records: data.records.map(shortenRecord) }),
}

export async function runReadTool(api: Api, tool: GeneratedReadTool, args: Record<string, unknown>): Promise<unknown> {
  const reply = await api(buildReadRequest(tool, args))
  return SHORTENED[tool.name]?.(reply) ?? reply
}
