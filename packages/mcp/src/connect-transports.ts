import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

/** JSON-RPC: an error that the server defines. */
const SERVER_ERROR = -32000

/** Passes messages on until the agent closes its stream. A message that the platform refuses gets an error reply. */
export async function connectTransports(agent: Transport, platform: Transport): Promise<void> {
  platform.onmessage = (message) => {
    const version = readNegotiatedVersion(message)
    if (version !== undefined) platform.setProtocolVersion?.(version)
    void agent.send(message)
  }
  agent.onmessage = (message) => {
    platform.send(message).catch((error: unknown) => {
      if ('id' in message && 'method' in message)
        return agent.send({
          jsonrpc: '2.0',
          id: message.id,
          error: { code: SERVER_ERROR, message: describeError(error) },
        })
      return undefined
    })
  }
  agent.onclose = () => void platform.close()
  await platform.start()
  await agent.start()
}

/** Protocols before 2026-07-28 send the version that `initialize` agreed on with every later message. */
function readNegotiatedVersion(message: JSONRPCMessage): string | undefined {
  if (!('result' in message)) return undefined
  const { protocolVersion } = message.result as { protocolVersion?: unknown }
  return typeof protocolVersion === 'string' ? protocolVersion : undefined
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
