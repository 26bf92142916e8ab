import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number; message?: string }
}

export interface Collector {
  url: string
  spans: CollectedSpan[]
  requests: { path: string; headers: IncomingHttpHeaders }[]
  /** Status of the next responses; undefined never responds. */
  status: number | undefined
  close(): void
}

export async function startCollector(): Promise<Collector> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    collector.requests.push({ path: request.url!, headers: request.headers })
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) collector.spans.push(...spans)
    if (collector.status !== undefined) response.writeHead(collector.status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    status: 200,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return collector
}
