/**
 * What a function's process writes, line by line: each line goes to the log at once and into the current call's own
 * log. The runner ends a call's output with a mark on both streams. Knows nothing of what a call is.
 */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/** Lambda hands back the last 4 KB of a call's log; more than this is not kept of one call. */
const KEPT_LINES = 1000
/** A line longer than this is cut in two. */
const LONGEST_LINE = 64 * 1024

export class CallOutput {
  readonly #lines: string[] = []
  readonly #streams: MarkedStream[]

  constructor(child: ChildProcess, endMark: string, onLog: (line: string) => void) {
    const keep = (line: string) => {
      onLog(line)
      this.#lines.push(line)
      if (this.#lines.length > KEPT_LINES) this.#lines.shift()
    }
    this.#streams = [child.stdout, child.stderr]
      .filter((stream) => stream !== null)
      .map((stream) => new MarkedStream(stream, endMark, keep))
  }

  /** Resolves when both streams have given the end mark of the call, or ended. */
  async callEnded(): Promise<void> {
    await Promise.all(this.#streams.map((stream) => stream.nextMark()))
  }

  /** The lines since the last time they were taken. */
  take(): string[] {
    return this.#lines.splice(0)
  }
}

class MarkedStream {
  readonly #endMark: string
  readonly #onLine: (line: string) => void
  #rest = ''
  #marks = 0
  #ended = false
  #waiting: (() => void) | undefined

  constructor(stream: Readable, endMark: string, onLine: (line: string) => void) {
    this.#endMark = endMark
    this.#onLine = onLine
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => this.#read(text))
    stream.on('close', () => this.#end())
  }

  async nextMark(): Promise<void> {
    if (!this.#marks && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    }
    this.#marks = Math.max(0, this.#marks - 1)
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#line(line)
    if (this.#rest.length > LONGEST_LINE) {
      this.#onLine(this.#rest.slice(0, -this.#endMark.length))
      this.#rest = this.#rest.slice(-this.#endMark.length)
    }
  }

  #line(line: string): void {
    const marked = line.endsWith(this.#endMark)
    const text = marked ? line.slice(0, -this.#endMark.length) : line
    if (text || !marked) this.#onLine(text)
    if (!marked) return
    this.#marks++
    this.#wake()
  }

  #end(): void {
    if (this.#rest) this.#onLine(this.#rest)
    this.#rest = ''
    this.#ended = true
    this.#wake()
  }

  #wake(): void {
    this.#waiting?.()
    this.#waiting = undefined
  }
}
