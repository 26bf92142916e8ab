/**
 * Asynchronous invocations: accepted only once they are in the journal, run as slots of their function are free, tried
 * again after a pause, and followed by the function's destination or a dead letter. Each runs at least once, also when
 * this process dies in between. Knows nothing of HTTP or of how a function is run.
 */
import { appendFileSync } from 'node:fs'
import { audience, deadLetter, type Ending, invocationRecord } from './destinations.ts'
import type { FunctionRecord } from './functions.ts'
import { type Call, failure, type Outcome } from './invocation.ts'
import type { AsyncInvocation, InvocationJournal, JournalEntry } from './journal.ts'
import { functionName, isFunctionArn } from './names.ts'

/** Lambda's defaults and limits for asynchronous invocations. */
const RETRIES = 2
const MAXIMUM_AGE_SECONDS = 21_600
/** An invocation during which the process died so often is taken to be the cause. */
const INTERRUPTIONS_LIMIT = 3

export interface AsyncQueueOptions {
  journal: InvocationJournal
  /** Seconds before the second and before every further attempt. */
  retryDelaySeconds: [number, number]
  /** Where dead letters go whose target is not a function. */
  deadLetterFile: string
  find(functionName: string): FunctionRecord | undefined
  /** Whether what caused an invocation may invoke that function. */
  mayInvoke(record: FunctionRecord, invocation: AsyncInvocation): boolean
  hasFreeSlot(functionName: string): boolean
  /** Whether its calls run in this process, by turns with all else in it. */
  runsHere(functionName: string): boolean
  execute(functionName: string, call: Call): Promise<Outcome>
  newInvocation(functionName: string, payload: string): AsyncInvocation
  onLog(line: string): void
}

export class AsyncQueue {
  readonly #options: AsyncQueueOptions
  /** Ready to run, by function, oldest first. */
  readonly #lanes = new Map<string, JournalEntry[]>()
  /**
   * Invocations during which the process died before. They run one after the other, so that the one to blame does not
   * bring those beside it under suspicion again and again.
   */
  readonly #suspects: JournalEntry[] = []
  #suspectRuns = false
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #attempts = new Set<Promise<void>>()
  /** What waits for `start()`: what an earlier process left, and what is for functions not known yet. */
  #held: JournalEntry[]
  #state: 'new' | 'started' | 'stopping' | 'closed' = 'new'
  /** Accepted, not held and not finished. */
  #open = 0
  #idleWaiters: (() => void)[] = []

  constructor(options: AsyncQueueOptions) {
    this.#options = options
    this.#held = options.journal.unfinished()
  }

  /** Runs what was held back. From now on an invocation of a function that does not exist has failed. */
  start(): void {
    this.#state = 'started'
    for (const entry of this.#held.splice(0)) this.#enqueue(entry)
  }

  /** Accepts an invocation: when this returns it will be run, even by the next process. Throws when it cannot be kept. */
  accept(invocation: AsyncInvocation): void {
    if (this.#state === 'stopping' || this.#state === 'closed') throw new Error('The embedded Lambda is closed')
    this.#options.journal.accept(invocation)
    this.#enqueue({ invocation, failures: 0, interruptions: 0 })
  }

  /** Starts what waits for a slot of that function. */
  pump(name: string): void {
    const lane = this.#lanes.get(name)
    while (lane?.length && this.#runs() && this.#options.hasFreeSlot(name)) void this.#launch(lane.shift()!)
    if (!lane?.length) this.#lanes.delete(name)
    this.#pumpSuspects()
  }

  /** Resolves when every accepted invocation is finished, apart from those that wait for `start()`. */
  async idle(): Promise<void> {
    if (this.#open) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve))
  }

  /** Starts no further attempt; resolves when the running ones ended or the time is up. */
  async stop(graceSeconds: number): Promise<void> {
    this.#state = 'stopping'
    for (const timer of this.#timers) clearTimeout(timer)
    const timeUp = new Promise<void>((resolve) => setTimeout(resolve, graceSeconds * 1000).unref())
    await Promise.race([Promise.all(this.#attempts), timeUp])
  }

  /** Closes the journal; what an attempt still brings is ignored, for the next process will run it again. */
  close(): void {
    this.#state = 'closed'
    this.#options.journal.close()
    for (const resolve of this.#idleWaiters.splice(0)) resolve()
  }

  #runs(): boolean {
    return this.#state === 'new' || this.#state === 'started'
  }

  #enqueue(entry: JournalEntry): void {
    const name = entry.invocation.functionName
    if (this.#state === 'new' && !this.#options.find(name)) {
      this.#held.push(entry)
      return
    }
    this.#open++
    this.#makeReady(entry)
  }

  /**
   * Running waits for the next turn of the event loop, so that the caller is answered first. What runs in this process waits for
   * one more: those that run beside it are not to wait for it.
   */
  #makeReady(entry: JournalEntry): void {
    const name = entry.invocation.functionName
    const lane = entry.interruptions ? this.#suspects : this.#lane(name)
    lane.push(entry)
    const pump = () => this.pump(name)
    setImmediate(this.#options.runsHere(name) ? () => setImmediate(pump) : pump)
  }

  #lane(name: string): JournalEntry[] {
    const lane = this.#lanes.get(name) ?? []
    this.#lanes.set(name, lane)
    return lane
  }

  #pumpSuspects(): void {
    const next = this.#suspects[0]
    if (!next || this.#suspectRuns || !this.#runs()) return
    if (!this.#options.hasFreeSlot(next.invocation.functionName)) return
    this.#suspects.shift()
    this.#suspectRuns = true
    void this.#launch(next).then(() => {
      this.#suspectRuns = false
      this.#pumpSuspects()
    })
  }

  async #launch(entry: JournalEntry): Promise<void> {
    const attempt = this.#attempt(entry).catch((error) => {
      this.#options.onLog(`Invocation ${entry.invocation.id} waits for the next start: ${error}`)
      this.#settle()
    })
    this.#attempts.add(attempt)
    await attempt
    this.#attempts.delete(attempt)
  }

  async #attempt(entry: JournalEntry): Promise<void> {
    const { id, functionName: name, payload } = entry.invocation
    const refused = this.#refusal(entry)
    if (refused) return this.#finish(entry, refused)
    this.#options.journal.started(id)
    const outcome = await this.#options.execute(name, { requestId: id, payload })
    if (this.#state === 'closed') return
    if (!outcome.functionError) return this.#finish(entry, { condition: 'Success', outcome, statusCode: 200 })
    entry.failures++
    this.#options.journal.failed(id)
    if (entry.failures <= this.#retries(entry)) return this.#retryLater(entry)
    this.#finish(entry, { condition: 'RetriesExhausted', outcome, statusCode: 200 })
  }

  /** The ending of an invocation that is not to be attempted (again), if it is not. */
  #refusal({ invocation, interruptions }: JournalEntry): Ending | undefined {
    const record = this.#options.find(invocation.functionName)
    if (!record)
      return notDelivered(404, 'ResourceNotFoundException', `There is no function ${invocation.functionName}`)
    if (!this.#options.mayInvoke(record, invocation)) {
      const who = `${invocation.source?.principal} for ${invocation.source?.sourceArn}`
      return notDelivered(403, 'AccessDeniedException', `${who} may not invoke ${invocation.functionName}`)
    }
    // As Lambda: a reserved concurrency of zero switches the function off and sends its events on, without retries.
    if (record.reservedConcurrency === 0) {
      return notDelivered(429, 'TooManyRequestsException', 'The function has a reserved concurrency of zero')
    }
    if (Date.now() - invocation.acceptedAt > maximumAgeSeconds(record, invocation) * 1000) {
      return { ...notDelivered(200, 'EventAgeExceeded', 'The event is too old'), condition: 'EventAgeExceeded' }
    }
    if (interruptions < INTERRUPTIONS_LIMIT) return undefined
    return notDelivered(500, 'Runtime.ExitError', `The host ended ${interruptions} times during this invocation`)
  }

  #retries({ invocation }: JournalEntry): number {
    const configured = this.#options.find(invocation.functionName)?.eventInvokeConfig?.maximumRetries
    // Lambda never tries a failed function more often than this, whatever the source would like.
    return configured ?? Math.min(invocation.source?.retries ?? RETRIES, RETRIES)
  }

  #retryLater(entry: JournalEntry): void {
    if (!this.#runs()) return
    const [first, later] = this.#options.retryDelaySeconds
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#makeReady(entry)
      },
      (entry.failures === 1 ? first : later) * 1000,
    )
    this.#timers.add(timer)
  }

  #finish(entry: JournalEntry, ending: Ending): void {
    const caused = this.#tell(entry, ending)
    this.#options.journal.finished(entry.invocation.id, caused)
    for (const invocation of caused) this.#enqueue({ invocation, failures: 0, interruptions: 0 })
    this.#settle()
  }

  /** The invocations that an ending causes. An ending nobody asked to hear of is only logged. */
  #tell(entry: JournalEntry, ending: Ending): AsyncInvocation[] {
    const { invocation } = entry
    const config = this.#options.find(invocation.functionName)?.eventInvokeConfig
    const arn = audience(invocation, config, ending)
    if (arn && isFunctionArn(arn)) {
      const record = JSON.stringify(invocationRecord(entry, ending))
      return [this.#options.newInvocation(functionName(arn), record)]
    }
    if (arn)
      appendFileSync(this.#options.deadLetterFile, `${JSON.stringify(deadLetter(arn, entry, ending))}\n`, {
        mode: 0o600,
      })
    else if (ending.condition !== 'Success') this.#logLoss(invocation, ending)
    return []
  }

  #logLoss({ id, functionName }: AsyncInvocation, { condition, outcome }: Ending): void {
    this.#options.onLog(`[${functionName}] invocation ${id} given up (${condition}): ${outcome.payload.slice(0, 500)}`)
  }

  #settle(): void {
    this.#open--
    if (!this.#open) for (const resolve of this.#idleWaiters.splice(0)) resolve()
  }
}

const notDelivered = (statusCode: number, errorType: string, errorMessage: string): Ending => ({
  condition: 'RetriesExhausted',
  outcome: failure(errorType, errorMessage),
  statusCode,
})

const maximumAgeSeconds = (record: FunctionRecord, { source }: AsyncInvocation) =>
  Math.min(
    record.eventInvokeConfig?.maximumEventAgeSeconds ?? MAXIMUM_AGE_SECONDS,
    source?.maximumEventAgeSeconds ?? MAXIMUM_AGE_SECONDS,
  )
