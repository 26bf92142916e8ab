/**
 * The console of one run, bounded: the beginning and the end are kept, and the text says how much is missing in between.
 * Knows nothing of where the text goes.
 */

/** A longer line is cut, and says so. */
const LINE_CHARACTERS = 8192

export class RunLog {
  readonly #halfBytes: number
  readonly #head: string[] = []
  readonly #tail: string[] = []
  #headBytes = 0
  #tailBytes = 0
  #missingLines = 0
  #missingBytes = 0

  /** @param limitBytes how long `text()` may become, but for the note of what is missing */
  constructor(limitBytes: number) {
    this.#halfBytes = limitBytes / 2
  }

  add(level: string, message: string, time = new Date()): void {
    const line = `${time.toISOString()} ${level} ${cut(message)}`
    const bytes = Buffer.byteLength(line) + 1
    const headIsOpen = this.#tail.length === 0 && this.#missingLines === 0
    if (headIsOpen && this.#headBytes + bytes <= this.#halfBytes) {
      this.#head.push(line)
      this.#headBytes += bytes
      return
    }
    this.#tail.push(line)
    this.#tailBytes += bytes
    while (this.#tailBytes > this.#halfBytes && this.#tail.length > 1) this.#drop(this.#tail.shift()!)
  }

  text(): string {
    const missing =
      this.#missingLines > 0 ? [`[${this.#missingLines} lines, ${this.#missingBytes} bytes, are left out here]`] : []
    return [...this.#head, ...missing, ...this.#tail].join('\n')
  }

  #drop(line: string): void {
    const bytes = Buffer.byteLength(line) + 1
    this.#tailBytes -= bytes
    this.#missingBytes += bytes
    this.#missingLines++
  }
}

const cut = (message: string): string =>
  message.length <= LINE_CHARACTERS
    ? message
    : `${message.slice(0, LINE_CHARACTERS)} [${message.length - LINE_CHARACTERS} characters are left out here]`
