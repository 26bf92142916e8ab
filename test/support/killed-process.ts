/** Runs a script in its own process, watches its requests to the cloud and kills it (-9) at one of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import { getServer } from './api.ts'
import { RUN_BUNDLED } from './bundle-agent.ts'

/** `before`: the request never arrives. `after`: its response never arrives. */
export type KillTiming = 'before' | 'after' | undefined

export interface ProcessResult {
  output: string
  killed: boolean
  requests: number
}

export interface KillPoint {
  share: number
  timing: 'before' | 'after'
}
export type KillRequest = { at: number; timing: 'before' | 'after' }

/** Kills a run at each point. A run that ends before its point is repeated, since the number of requests varies. */
export async function killAtPoints(
  points: readonly KillPoint[],
  requests: number,
  attempt: (kill: KillRequest) => Promise<ProcessResult>,
): Promise<void> {
  let total = requests
  for (const { share, timing } of points)
    for (let tries = 1, killed = false; !killed; tries++) {
      const at = Math.max(1, Math.round(total * share))
      const result = await attempt({ at, timing })
      killed = result.killed
      if (!killed) total = Math.min(total, result.requests)
      expect(killed || tries < 3, `killed at request ${at}`).toBe(true)
    }
}

export async function runWithKill(
  script: string,
  args: string[],
  decide: (incoming: IncomingMessage, number: number) => KillTiming,
): Promise<ProcessResult> {
  let kill = () => {}
  let requests = 0
  const proxy = createServer((incoming, outgoing) => {
    const verdict = decide(incoming, ++requests)
    if (verdict === 'before') return kill()
    forwardRequest(incoming, outgoing, verdict === 'after' ? () => kill() : undefined)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const program = script.endsWith('.ts') ? [RUN_BUNDLED, resolve(import.meta.dirname, script)] : [script]
  const child = spawn(process.execPath, [...program, ...args], {
    env: { ...process.env, ...getServer().environment, AWS_ENDPOINT_URL: endpoint },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  kill = () => child.kill('SIGKILL')
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [, signal] = await once(child, 'close')
  proxy.closeAllConnections()
  proxy.close()
  return { output: withoutMetrics(output), killed: signal === 'SIGKILL', requests }
}

function forwardRequest(incoming: IncomingMessage, outgoing: ServerResponse, onComplete?: () => void): void {
  const target = request(
    getServer().cloud + incoming.url,
    { method: incoming.method, headers: incoming.headers },
    (response) => {
      if (onComplete) return void response.resume().on('end', onComplete)
      outgoing.writeHead(response.statusCode!, response.headers)
      response.pipe(outgoing)
    },
  )
  incoming.pipe(target)
}

/** Metrics are lines that are printed between the results. */
const withoutMetrics = (output: string): string => output.replace(/^\{"_aws":.*\n/gm, '')
