import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getServer } from './api.ts'

export const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } }

export const getMcpUrl = (): URL => new URL(`${getServer().baseUrl}/v1/mcp`)

export async function connectMcp(token: string, options: ClientOptions = MODERN): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options)
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(getMcpUrl(), { requestInit: { headers } }))
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: tests read results as they come
export type CallTool = (name: string, args?: Record<string, unknown>) => Promise<any>

/** @returns calls a tool and parses its text; an error of the tool is `{ refused }` */
export const createToolCaller =
  (client: Client): CallTool =>
  async (name, args = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const { text } = (content as { text: string }[])[0]!
    return isError ? { refused: text } : JSON.parse(text)
  }
