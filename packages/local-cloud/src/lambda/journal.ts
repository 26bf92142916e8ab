/** Append-only file of unfinished asynchronous invocations. Survives the process, not the machine: no fsync. */
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

export interface InvocationSource {
  principal: string
  sourceArn: string
  retries?: number
  maximumEventAgeSeconds?: number
  deadLetterArn?: string
}

export interface AsyncInvocation {
  id: string
  functionName: string
  payload: string
  acceptedAt: number
  source?: InvocationSource
}

export interface JournalEntry {
  invocation: AsyncInvocation
  failures: number
  interruptions: number
}

type Line =
  | { accepted: JournalEntry }
  | { started: string }
  | { failed: string }
  | { finished: string; caused: JournalEntry[] }

const COMPACT_FROM_BYTES = 4 * 1024 * 1024

interface LiveEntry extends JournalEntry {
  bytes: number
}

export class InvocationJournal {
  readonly #path: string
  readonly #entries = new Map<string, LiveEntry>()
  readonly #running = new Set<string>()
  #file: number
  #bytes = 0
  #liveBytes = 0

  /** Replays the journal and compacts it, which also drops a truncated last line. */
  constructor(path: string) {
    this.#path = path
    mkdirSync(dirname(path), { recursive: true })
    if (existsSync(path)) this.#replay(readFileSync(path, 'utf8'))
    for (const id of this.#running) this.#interrupt(id)
    this.#running.clear()
    this.#file = openSync(path, 'a', 0o600)
    this.#compact()
  }

  listUnfinished(): JournalEntry[] {
    return [...this.#entries.values()].map(({ bytes: _, ...entry }) => entry)
  }

  accept(invocation: AsyncInvocation): void {
    this.#append({ accepted: createEntry(invocation) })
  }

  recordStart(id: string): void {
    this.#append({ started: id })
  }

  recordFailure(id: string): void {
    this.#append({ failed: id })
  }

  /** One line, so that the end and the follow-up invocations are recorded atomically. */
  recordFinish(id: string, followUps: AsyncInvocation[]): void {
    this.#append({ finished: id, caused: followUps.map(createEntry) })
    if (this.#bytes > COMPACT_FROM_BYTES && this.#bytes > this.#liveBytes * 2) this.#compact()
  }

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

  /** Truncates a partial write (disk full), so that the next line does not continue it. */
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

  #compact(): void {
    const lines: Line[] = [
      ...this.listUnfinished().map((accepted) => ({ accepted })),
      ...[...this.#running].map((started) => ({ started })),
    ]
    const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const temporaryPath = `${this.#path}.new`
    writeFileSync(temporaryPath, text, { mode: 0o600 })
    renameSync(temporaryPath, this.#path)
    closeSync(this.#file)
    this.#file = openSync(this.#path, 'a')
    this.#bytes = text.length
  }
}

const createEntry = (invocation: AsyncInvocation): JournalEntry => ({ invocation, failures: 0, interruptions: 0 })

function parseLine(line: string): Line | undefined {
  if (!line) return undefined
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}
