/** A bounded console log of one run: keeps the head and the tail and notes how much is missing in between. */

const MAX_LINE_CHARACTERS = 8192

export class RunLog {
  readonly #halfBytes: number
  readonly #head: string[] = []
  readonly #tail: string[] = []
  #headBytes = 0
  #tailBytes = 0
  #missingLines = 0
  #missingBytes = 0

  constructor(limitBytes: number) {
    this.#halfBytes = limitBytes / 2
  }

  add(level: string, message: string, time = new Date()): void {
    const line = `${time.toISOString()} ${level} ${truncate(message)}`
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
    const omission =
      this.#missingLines > 0 ? [`[${this.#missingLines} lines, ${this.#missingBytes} bytes omitted]`] : []
    return [...this.#head, ...omission, ...this.#tail].join('\n')
  }

  #drop(line: string): void {
    const bytes = Buffer.byteLength(line) + 1
    this.#tailBytes -= bytes
    this.#missingBytes += bytes
    this.#missingLines++
  }
}

const truncate = (message: string): string =>
  message.length <= MAX_LINE_CHARACTERS
    ? message
    : `${message.slice(0, MAX_LINE_CHARACTERS)} [${message.length - MAX_LINE_CHARACTERS} characters omitted]`
