/** The queue of asynchronous invocations: durable, run at least once, and retried after a pause. */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildDeadLetter, buildInvocationRecord, type FinalOutcome, findDestination } from './destinations.ts'
import type { FunctionRecord } from './functions.ts'
import { type Call, createFailure, type Outcome } from './invocation.ts'
import type { AsyncInvocation, InvocationJournal, JournalEntry } from './journal.ts'
import { isFunctionArn, parseFunctionName } from './names.ts'

const MAX_RETRIES = 2
const MAX_AGE_SECONDS = 21_600
/** After this many process deaths during an invocation, it is assumed to be the cause. */
const MAX_INTERRUPTIONS = 3

export interface AsyncQueueOptions {
  journal: InvocationJournal
  retryDelaySeconds: [number, number]
  deadLetterFile: string
  find(functionName: string): FunctionRecord | undefined
  canInvoke(record: FunctionRecord, invocation: AsyncInvocation): boolean
  hasFreeSlot(functionName: string): boolean
  runsInProcess(functionName: string): boolean
  execute(functionName: string, call: Call): Promise<Outcome>
  newInvocation(functionName: string, payload: string): AsyncInvocation
  onLog(line: string): void
}

export class AsyncQueue {
  readonly #options: AsyncQueueOptions
  readonly #lanes = new Map<string, JournalEntry[]>()
  /** Invocations during which the process died. They run one at a time, so as not to implicate others. */
  readonly #suspects: JournalEntry[] = []
  #isSuspectRunning = false
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #attempts = new Set<Promise<void>>()
  /** Waiting for `start()`: left by an earlier process, or for functions that are not registered yet. */
  #waitingForStart: JournalEntry[]
  #state: 'new' | 'started' | 'stopping' | 'closed' = 'new'
  #pendingCount = 0
  #idleWaiters: (() => void)[] = []

  constructor(options: AsyncQueueOptions) {
    this.#options = options
    this.#waitingForStart = options.journal.listUnfinished()
  }

  start(): void {
    this.#state = 'started'
    for (const entry of this.#waitingForStart.splice(0)) this.#enqueue(entry)
  }

  /** On return the invocation will run, even if only in the next process. */
  accept(invocation: AsyncInvocation): void {
    if (this.#state === 'stopping' || this.#state === 'closed') throw new Error('The embedded Lambda is closed')
    this.#options.journal.accept(invocation)
    this.#enqueue({ invocation, failures: 0, interruptions: 0 })
  }

  pump(name: string): void {
    const lane = this.#lanes.get(name)
    while (lane?.length && this.#isRunning() && this.#options.hasFreeSlot(name)) void this.#launch(lane.shift()!)
    if (!lane?.length) this.#lanes.delete(name)
    this.#pumpSuspects()
  }

  async waitUntilIdle(): Promise<void> {
    if (this.#pendingCount) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve))
  }

  async stop(graceSeconds: number): Promise<void> {
    this.#state = 'stopping'
    for (const timer of this.#timers) clearTimeout(timer)
    const deadline = sleep(graceSeconds * 1000, undefined, { ref: false })
    await Promise.race([Promise.all(this.#attempts), deadline])
  }

  /** Later results of running attempts are ignored: the next process runs them again. */
  close(): void {
    this.#state = 'closed'
    this.#options.journal.close()
    for (const resolve of this.#idleWaiters.splice(0)) resolve()
  }

  #isRunning(): boolean {
    return this.#state === 'new' || this.#state === 'started'
  }

  #enqueue(entry: JournalEntry): void {
    const name = entry.invocation.functionName
    if (this.#state === 'new' && !this.#options.find(name)) {
      this.#waitingForStart.push(entry)
      return
    }
    this.#pendingCount++
    this.#makeReady(entry)
  }

  /** Runs after the caller's response is sent. In-process calls yield once more, so that others start first. */
  #makeReady(entry: JournalEntry): void {
    const name = entry.invocation.functionName
    const lane = entry.interruptions ? this.#suspects : this.#getLane(name)
    lane.push(entry)
    const pump = () => this.pump(name)
    setImmediate(this.#options.runsInProcess(name) ? () => setImmediate(pump) : pump)
  }

  #getLane(name: string): JournalEntry[] {
    const lane = this.#lanes.get(name) ?? []
    this.#lanes.set(name, lane)
    return lane
  }

  #pumpSuspects(): void {
    const suspect = this.#suspects[0]
    if (!suspect || this.#isSuspectRunning || !this.#isRunning()) return
    if (!this.#options.hasFreeSlot(suspect.invocation.functionName)) return
    this.#suspects.shift()
    this.#isSuspectRunning = true
    void this.#launch(suspect).then(() => {
      this.#isSuspectRunning = false
      this.#pumpSuspects()
    })
  }

  async #launch(entry: JournalEntry): Promise<void> {
    const attempt = this.#runAttempt(entry).catch((error) => {
      this.#options.onLog(`Invocation ${entry.invocation.id} is postponed until the next start: ${error}`)
      this.#markFinished()
    })
    this.#attempts.add(attempt)
    await attempt
    this.#attempts.delete(attempt)
  }

  async #runAttempt(entry: JournalEntry): Promise<void> {
    const { id, functionName: name, payload } = entry.invocation
    const rejection = this.#findRejection(entry)
    if (rejection) return this.#finish(entry, rejection)
    this.#options.journal.recordStart(id)
    const outcome = await this.#options.execute(name, { requestId: id, payload })
    if (this.#state === 'closed') return
    if (!outcome.functionError) return this.#finish(entry, { condition: 'Success', outcome, statusCode: 200 })
    entry.failures++
    this.#options.journal.recordFailure(id)
    if (entry.failures <= this.#getMaxRetries(entry)) return this.#retryLater(entry)
    this.#finish(entry, { condition: 'RetriesExhausted', outcome, statusCode: 200 })
  }

  #findRejection({ invocation, interruptions }: JournalEntry): FinalOutcome | undefined {
    const record = this.#options.find(invocation.functionName)
    if (!record)
      return buildUndelivered(404, 'ResourceNotFoundException', `Function ${invocation.functionName} does not exist`)
    if (!this.#options.canInvoke(record, invocation)) {
      const caller = `${invocation.source?.principal} for ${invocation.source?.sourceArn}`
      return buildUndelivered(
        403,
        'AccessDeniedException',
        `${caller} is not allowed to invoke ${invocation.functionName}`,
      )
    }
    if (Date.now() - invocation.acceptedAt > getMaxAgeSeconds(record, invocation) * 1000) {
      return { ...buildUndelivered(200, 'EventAgeExceeded', 'The event is too old'), condition: 'EventAgeExceeded' }
    }
    if (interruptions < MAX_INTERRUPTIONS) return undefined
    return buildUndelivered(500, 'Runtime.ExitError', `The host ended ${interruptions} times during this invocation`)
  }

  #getMaxRetries({ invocation }: JournalEntry): number {
    const configured = this.#options.find(invocation.functionName)?.eventInvokeConfig?.maximumRetries
    // Lambda's maximum, whatever the source requests.
    return configured ?? Math.min(invocation.source?.retries ?? MAX_RETRIES, MAX_RETRIES)
  }

  #retryLater(entry: JournalEntry): void {
    if (!this.#isRunning()) return
    const [firstDelay, furtherDelay] = this.#options.retryDelaySeconds
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#makeReady(entry)
      },
      (entry.failures === 1 ? firstDelay : furtherDelay) * 1000,
    )
    this.#timers.add(timer)
  }

  #finish(entry: JournalEntry, finalOutcome: FinalOutcome): void {
    const followUps = this.#createFollowUps(entry, finalOutcome)
    this.#options.journal.recordFinish(entry.invocation.id, followUps)
    for (const invocation of followUps) this.#enqueue({ invocation, failures: 0, interruptions: 0 })
    this.#markFinished()
  }

  #createFollowUps(entry: JournalEntry, finalOutcome: FinalOutcome): AsyncInvocation[] {
    const { invocation } = entry
    const config = this.#options.find(invocation.functionName)?.eventInvokeConfig
    const arn = findDestination(invocation, config, finalOutcome)
    if (arn && isFunctionArn(arn)) {
      const record = JSON.stringify(buildInvocationRecord(entry, finalOutcome))
      return [this.#options.newInvocation(parseFunctionName(arn), record)]
    }
    if (arn)
      appendFileSync(this.#options.deadLetterFile, `${JSON.stringify(buildDeadLetter(arn, entry, finalOutcome))}\n`, {
        mode: 0o600,
      })
    else if (finalOutcome.condition !== 'Success') this.#logLoss(invocation, finalOutcome)
    return []
  }

  #logLoss({ id, functionName }: AsyncInvocation, { condition, outcome }: FinalOutcome): void {
    this.#options.onLog(`[${functionName}] invocation ${id} given up (${condition}): ${outcome.payload.slice(0, 500)}`)
  }

  #markFinished(): void {
    this.#pendingCount--
    if (!this.#pendingCount) for (const resolve of this.#idleWaiters.splice(0)) resolve()
  }
}

const buildUndelivered = (statusCode: number, errorType: string, errorMessage: string): FinalOutcome => ({
  condition: 'RetriesExhausted',
  outcome: createFailure(errorType, errorMessage),
  statusCode,
})

const getMaxAgeSeconds = (record: FunctionRecord, { source }: AsyncInvocation) =>
  Math.min(
    record.eventInvokeConfig?.maximumEventAgeSeconds ?? MAX_AGE_SECONDS,
    source?.maximumEventAgeSeconds ?? MAX_AGE_SECONDS,
  )
