import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

const { port } = new URL(process.env.CRM_URL!)
const stored: Record<string, Map<string, Record<string, unknown>>> = { companies: new Map(), contacts: new Map() }

async function handle(request: IncomingMessage): Promise<[status: number, body: unknown]> {
  if (request.headers.authorization !== `Bearer ${process.env.CRM_TOKEN}`) return [401, 'The token is wrong.']
  const [collection = '', key = ''] = request.url!.split('/').slice(1).map(decodeURIComponent)
  const records = stored[collection]
  if (!records) return [404, 'There are only companies and contacts.']
  if (request.method === 'GET') return [200, [...records.values()]]
  const record = JSON.parse(await text(request))
  if (collection === 'contacts' && !stored.companies!.has(record.company)) return [422, 'The company is unknown.']
  const status = records.has(key) ? 200 : 201
  records.set(key, record)
  return [status, record]
}

createServer(async (request, response) => {
  const [status, body] = await handle(request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}).listen(Number(port), '127.0.0.1', () => console.log(`The CRM listens at ${process.env.CRM_URL}`))
