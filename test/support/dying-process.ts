/** Runs a script as a process of its own whose requests to the cloud are watched, and kills it (-9) at one of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { expect, inject } from 'vitest'
import { server } from './api.ts'
import { bundled } from './bundled.ts'

/** When to kill: as the request leaves (it never arrives), or once it has been answered (the answer never arrives). */
export type Verdict = 'before' | 'after' | undefined

export interface Death {
  /** What the process wrote to its standard output. */
  output: string
  killed: boolean
  /** Requests to the cloud. */
  requests: number
}

/** Where a run is killed: at this part of the requests it takes. */
export interface Point {
  part: number
  verdict: 'before' | 'after'
}
export type Kill = { at: number; verdict: 'before' | 'after' }

/**
 * Has runs killed, one at each point. How many requests a run takes depends on how long it takes, too: one that ended before its
 * point is measured anew, and another one begun.
 * @param requests of a whole run
 * @param attempt begins a run, and looks at what has become of it, killed or not
 */
export async function killedAt(
  points: readonly Point[],
  requests: number,
  attempt: (kill: Kill) => Promise<Death>,
): Promise<void> {
  let whole = requests
  for (const { part, verdict } of points)
    for (let tries = 1, killed = false; !killed; tries++) {
      const at = Math.max(1, Math.round(whole * part))
      const death = await attempt({ at, verdict })
      killed = death.killed
      if (!killed) whole = Math.min(whole, death.requests)
      expect(killed || tries < 3, `killed at request ${at}`).toBe(true)
    }
}

/**
 * @param script beside this module, in TypeScript, or anywhere, in JavaScript
 * @param judge is asked at each request, numbered from 1
 */
export async function dyingProcess(
  script: string,
  args: string[],
  judge: (incoming: IncomingMessage, number: number) => Verdict,
): Promise<Death> {
  let kill = () => {}
  let requests = 0
  const proxy = createServer((incoming, outgoing) => {
    const verdict = judge(incoming, ++requests)
    if (verdict === 'before') return kill()
    forward(incoming, outgoing, verdict === 'after' ? () => kill() : undefined)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const program = script.endsWith('.ts') ? await bundleOf(resolve(import.meta.dirname, script)) : script
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...server().environment, AWS_ENDPOINT_URL: endpoint },
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
  return { output, killed: signal === 'SIGKILL', requests }
}

const bundles = new Map<string, Promise<string>>()

/** Made once a test file: a bundle is up in half a second, TypeScript through a loader in three. */
function bundleOf(path: string): Promise<string> {
  const made = bundles.get(path) ?? bundled(path, inject('scratch')).then(({ script }) => script)
  bundles.set(path, made)
  return made
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, instead?: () => void): void {
  const target = request(
    server().cloud + incoming.url,
    { method: incoming.method, headers: incoming.headers },
    (answer) => {
      if (instead) return void answer.resume().on('end', instead)
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    },
  )
  incoming.pipe(target)
}
