import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Bundle } from './bundle.ts'
import type { ListenerReply, ListenerRequest, Outcome } from './messages.ts'

const PROGRAM = fileURLToPath(new URL('./listener-process.mjs', import.meta.url))
const DRAIN_MS = 10_000

export class NotLoaded extends Error {}

export interface ListenerInfo {
  topics: string[]
  isFunction: boolean
}

export class ListenerProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<string, (outcomes: Outcome[]) => void>()
  readonly #folder = mkdtempSync(join(tmpdir(), 'wharf-listener-'))
  #onIdle = () => {}

  private constructor(env: NodeJS.ProcessEnv) {
    // Commands print results on stdout, so the listener's output goes to stderr.
    this.#child = fork(PROGRAM, { env, stdio: ['ignore', process.stderr, process.stderr, 'ipc'] })
    this.#child.on('message', (reply: ListenerReply) => this.#receive(reply))
    this.#child.on('exit', (code) => this.#fail(code))
  }

  /** @throws NotLoaded with the reason */
  static async start(
    bundle: Bundle,
    file: string,
    variables: Record<string, string>,
  ): Promise<[ListenerProcess, ListenerInfo]> {
    const started = new ListenerProcess({ ...process.env, ...variables })
    const path = join(started.#folder, 'listener.cjs')
    writeFileSync(path, `${bundle.source}\n//# sourceMappingURL=listener.cjs.map\n`)
    writeFileSync(`${path}.map`, withAbsoluteSources(bundle.sourceMap))
    started.#send({ type: 'load', bundle: path, file })
    const loaded = once(started.#child, 'message') as Promise<[ListenerReply]>
    const [reply] = await Promise.race([loaded, once(started.#child, 'exit').then(() => [undefined])])
    if (reply?.type === 'loaded') return [started, reply]
    await started.stop()
    throw new NotLoaded(reply?.type === 'not-loaded' ? reply.error : 'The process ended while it loaded the listener.')
  }

  handle(event: { id: string }): Promise<Outcome[]> {
    return new Promise((resolve) => {
      this.#waiting.set(event.id, resolve)
      this.#send({ type: 'event', event })
    })
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Waits at most 10 s for running handlers. */
  async stop(): Promise<void> {
    if (this.#waiting.size > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, DRAIN_MS)
        this.#onIdle = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    if (this.isRunning) {
      const exited = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await exited
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #send(request: ListenerRequest): void {
    if (this.#child.connected) this.#child.send(request)
  }

  #receive(reply: ListenerReply): void {
    if (reply.type === 'handled') this.#settle(reply.id, reply.outcomes)
  }

  #settle(id: string, outcomes: Outcome[]): void {
    this.#waiting.get(id)?.(outcomes)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#onIdle()
  }

  #fail(code: number | null): void {
    const error = `The listener's process ended (${code ?? 'by a signal'}) before it had handled the event.`
    for (const id of [...this.#waiting.keys()])
      this.#settle(id, [{ handler: 'listener', location: '', milliseconds: 0, error }])
  }
}

function withAbsoluteSources(sourceMap: string): string {
  const map = JSON.parse(sourceMap) as { sources: string[] }
  return JSON.stringify({ ...map, sources: map.sources.map((source) => pathToFileURL(resolve(source)).href) })
}
