/** `wharf-mcp`: passes messages between the standard streams and the MCP endpoint of a platform. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { connectTransports } from './connect-transports.ts'

const { WHARF_URL = 'http://127.0.0.1:3000', WHARF_TOKEN } = process.env

if (!WHARF_TOKEN || !URL.canParse(WHARF_URL)) {
  console.error(
    'Set WHARF_TOKEN to a secret key, a personal access token or the token of a guest, and WHARF_URL to the address of the platform, such as https://imports.example.com.',
  )
  process.exit(1)
}
const headers = { authorization: `Bearer ${WHARF_TOKEN}` }
await connectTransports(
  new StdioServerTransport(),
  new StreamableHTTPClientTransport(new URL('/api/v1/mcp', WHARF_URL), { requestInit: { headers } }),
)
