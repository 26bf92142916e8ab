/** Splits a function process's output into lines, for the log and for the current call's own log. */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/** Lambda returns only the last 4 KB of a call's log. */
const MAX_LINES_PER_CALL = 1000
const MAX_LINE_CHARACTERS = 64 * 1024

export class CallOutput {
  readonly #lines: string[] = []
  readonly #streams: MarkedStream[]

  constructor(child: ChildProcess, endMark: string, onLog: (line: string) => void) {
    const appendLine = (line: string) => {
      onLog(line)
      this.#lines.push(line)
      if (this.#lines.length > MAX_LINES_PER_CALL) this.#lines.shift()
    }
    this.#streams = [child.stdout, child.stderr]
      .filter((stream) => stream !== null)
      .map((stream) => new MarkedStream(stream, endMark, appendLine))
  }

  async waitForCallEnd(): Promise<void> {
    await Promise.all(this.#streams.map((stream) => stream.waitForMark()))
  }

  takeLines(): string[] {
    return this.#lines.splice(0)
  }
}

class MarkedStream {
  readonly #endMark: string
  readonly #onLine: (line: string) => void
  #partialLine = ''
  #marks = 0
  #isClosed = false
  #waiting: (() => void) | undefined

  constructor(stream: Readable, endMark: string, onLine: (line: string) => void) {
    this.#endMark = endMark
    this.#onLine = onLine
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => this.#read(text))
    stream.on('close', () => this.#end())
  }

  async waitForMark(): Promise<void> {
    if (!this.#marks && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    }
    this.#marks = Math.max(0, this.#marks - 1)
  }

  #read(text: string): void {
    const lines = (this.#partialLine + text).split('\n')
    this.#partialLine = lines.pop() ?? ''
    for (const line of lines) this.#handleLine(line)
    if (this.#partialLine.length > MAX_LINE_CHARACTERS) {
      this.#onLine(this.#partialLine.slice(0, -this.#endMark.length))
      this.#partialLine = this.#partialLine.slice(-this.#endMark.length)
    }
  }

  #handleLine(line: string): void {
    const marked = line.endsWith(this.#endMark)
    const text = marked ? line.slice(0, -this.#endMark.length) : line
    if (text || !marked) this.#onLine(text)
    if (!marked) return
    this.#marks++
    this.#wake()
  }

  #end(): void {
    if (this.#partialLine) this.#onLine(this.#partialLine)
    this.#partialLine = ''
    this.#isClosed = true
    this.#wake()
  }

  #wake(): void {
    this.#waiting?.()
    this.#waiting = undefined
  }
}
