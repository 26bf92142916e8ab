/**
 * The asynchronous invocations that are not finished, on disk: an append-only file of JSON lines, written before an
 * invocation is acknowledged and compacted once most of it is past. What was written survives the death of the process
 * (not of the machine: nothing is synced). Knows nothing of functions or retries.
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Who caused an invocation, if not a caller of the Invoke API, and what that source asks for if it fails. */
export interface InvocationSource {
  principal: string
  sourceArn: string
  retries?: number
  maximumEventAgeSeconds?: number
  deadLetterArn?: string
}

export interface AsyncInvocation {
  /** The request id, the same for every attempt. */
  id: string
  functionName: string
  /** JSON text. */
  payload: string
  /** Milliseconds since 1970. */
  acceptedAt: number
  source?: InvocationSource
}

export interface JournalEntry {
  invocation: AsyncInvocation
  /** Attempts that ended badly. */
  failures: number
  /** Attempts during which the process died. */
  interruptions: number
}

type Line =
  | { accepted: JournalEntry }
  | { started: string }
  | { failed: string }
  | { finished: string; caused: JournalEntry[] }

/** Below this size a compaction would save nothing worth its writing. */
const COMPACT_FROM_BYTES = 4 * 1024 * 1024

interface LiveEntry extends JournalEntry {
  /** The size of its payload, which is nearly all of its line. */
  bytes: number
}

export class InvocationJournal {
  readonly #path: string
  readonly #entries = new Map<string, LiveEntry>()
  readonly #running = new Set<string>()
  #file: number
  #bytes = 0
  #liveBytes = 0

  /** Opens the journal and writes it anew without what is past, nor a last line that was cut off. */
  constructor(path: string) {
    this.#path = path
    mkdirSync(dirname(path), { recursive: true })
    if (existsSync(path)) this.#replay(readFileSync(path, 'utf8'))
    for (const id of this.#running) this.#interrupt(id)
    this.#running.clear()
    this.#file = openSync(path, 'a', 0o600)
    this.#compact()
  }

  /** Everything accepted and not finished, oldest first. */
  unfinished(): JournalEntry[] {
    return [...this.#entries.values()].map(({ bytes: _, ...entry }) => entry)
  }

  /** Records an invocation; when this returns it outlives the process. Throws when it cannot be written. */
  accept(invocation: AsyncInvocation): void {
    this.#append({ accepted: newEntry(invocation) })
  }

  started(id: string): void {
    this.#append({ started: id })
  }

  failed(id: string): void {
    this.#append({ failed: id })
  }

  /** Records the end of one invocation together with the invocations it causes: in one line, all of it or nothing. */
  finished(id: string, caused: AsyncInvocation[]): void {
    this.#append({ finished: id, caused: caused.map(newEntry) })
    if (this.#bytes > COMPACT_FROM_BYTES && this.#bytes > this.#liveBytes * 2) this.#compact()
  }

  /** Closes the file. Attempts still running did not fail and are not counted as interrupted. */
  close(): void {
    this.#running.clear()
    this.#compact()
    closeSync(this.#file)
  }

  #append(line: Line): void {
    const text = `${JSON.stringify(line)}\n`
    this.#write(Buffer.from(text))
    this.#apply(line)
  }

  /** A write cut short (a full disk) is taken back, so that the next line does not continue it. */
  #write(data: Buffer): void {
    try {
      for (let written = 0; written < data.length; ) written += writeSync(this.#file, data, written)
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes)
      throw error
    }
    this.#bytes += data.length
  }

  #replay(text: string): void {
    for (const line of text.split('\n')) {
      const parsed = parseLine(line)
      if (parsed) this.#apply(parsed)
    }
  }

  #apply(line: Line): void {
    if ('accepted' in line) this.#add(line.accepted)
    else if ('started' in line) this.#running.add(line.started)
    else if ('failed' in line) this.#fail(line.failed)
    else {
      for (const entry of line.caused) this.#add(entry)
      this.#forget(line.finished)
    }
  }

  #interrupt(id: string): void {
    const entry = this.#entries.get(id)
    if (entry) entry.interruptions++
  }

  #fail(id: string): void {
    this.#running.delete(id)
    const entry = this.#entries.get(id)
    if (entry) entry.failures++
  }

  #add(entry: JournalEntry): void {
    const bytes = Buffer.byteLength(entry.invocation.payload)
    this.#entries.set(entry.invocation.id, { ...entry, bytes })
    this.#liveBytes += bytes
  }

  #forget(id: string): void {
    this.#running.delete(id)
    this.#liveBytes -= this.#entries.get(id)?.bytes ?? 0
    this.#entries.delete(id)
  }

  /** Puts a file of only what is unfinished in the place of the one there is. */
  #compact(): void {
    const lines: Line[] = [
      ...this.unfinished().map((accepted) => ({ accepted })),
      ...[...this.#running].map((started) => ({ started })),
    ]
    const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const draft = `${this.#path}.new`
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, this.#path)
    closeSync(this.#file)
    this.#file = openSync(this.#path, 'a')
    this.#bytes = text.length
  }
}

const newEntry = (invocation: AsyncInvocation): JournalEntry => ({ invocation, failures: 0, interruptions: 0 })

function parseLine(line: string): Line | undefined {
  if (!line) return undefined
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}
