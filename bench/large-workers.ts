/** Lambda for the parts of jobs: each runs in the first free of several processes, so that they really run side by side. */
import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { bundleScript } from '../test/support/bundle-agent.ts'
import { readPeakMegabytes } from '../test/support/peak-memory.ts'

export interface Workers {
  endpoint: string
  start(environment: Readonly<Record<string, string>>): void
  peakMegabytes(): number
  getLastResultTime(): number
  close(): void
}

export async function createWorkers(count: number): Promise<Workers> {
  const bundled = await bundleScript(fileURLToPath(new URL('./large-worker.ts', import.meta.url)))
  const children: ChildProcess[] = []
  const free: ChildProcess[] = []
  const waiting: ((child: ChildProcess) => void)[] = []
  const release = (child: ChildProcess): void => {
    const next = waiting.shift()
    if (next) next(child)
    else free.push(child)
  }
  let lastId = 0
  let lastResultAt = 0
  async function perform(payload: unknown): Promise<unknown> {
    const child = free.pop() ?? (await new Promise<ChildProcess>((resolve) => waiting.push(resolve)))
    const id = ++lastId
    return new Promise((resolve) => {
      child.once('message', ({ result }: { result: unknown }) => {
        release(child)
        lastResultAt = performance.now()
        resolve(result)
      })
      child.send({ id, payload })
    })
  }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const result = await perform(JSON.parse(Buffer.concat(pieces).toString()))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    start(environment) {
      for (let i = 0; i < count; i++) {
        const child = fork(bundled.script, [], { env: { ...process.env, ...environment }, execArgv: [] })
        children.push(child)
        release(child)
      }
    },
    peakMegabytes: () => Math.max(...children.map(({ pid }) => readPeakMegabytes(pid))),
    getLastResultTime: () => lastResultAt,
    close() {
      for (const child of children) child.kill()
      server.close()
      bundled.remove()
    },
  }
}
