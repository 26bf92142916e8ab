/**
 * The embedded Lambda: functions made at run time through AWS's REST protocol, each in processes of its own, and the
 * platform's own functions in this process; asynchronous invocations that outlive both. Knows nothing of Wharf.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { ACCOUNT_ID, type Service } from '../service.ts'
import type { Credentials } from '../signature/signature.ts'
import { AsyncQueue } from './async-queue.ts'
import { Executor } from './executor.ts'
import { Functions, type IsolatedFunction, type PlatformHandler } from './functions.ts'
import { invokeRoute, newInvocation, runNow } from './invoke.ts'
import { InvocationJournal, type InvocationSource } from './journal.ts'
import { functionName } from './names.ts'
import type { LambdaParts } from './operations.ts'
import { allowsInvocation } from './policy.ts'
import { findRoute, routes } from './routes.ts'
import { AwsError, readInput, send } from './wire.ts'

export type { InvocationSource } from './journal.ts'

export interface LambdaOptions {
  /** The folder of functions and pending invocations; only one process may use it at a time. */
  dataDir: string
  /** Links to packages are signed with them; without them links are plain. */
  credentials?: Credentials
  /** Environment variables every run-time function gets besides its own. */
  agentEnvironment?: Record<string, string>
  /** Pauses before the second and before any further attempt of an asynchronous invocation; AWS has [60, 120]. */
  retryDelaySeconds?: [number, number]
  onLog?: (line: string) => void
}

export interface InvokeResult {
  /** What the function answered, or its error: `{ errorType, errorMessage, trace }`. */
  payload: unknown
  functionError?: 'Unhandled'
  log: string
}

export interface LambdaService extends Service {
  /** Makes `handler` a function of the platform, run in this process. Needs no permission to be invoked by events. */
  platform(functionName: string, handler: PlatformHandler): void
  /** A function of the platform that runs customers' code: in processes of its own, with no variables. */
  isolated(functionName: string, definition: IsolatedFunction): void
  /**
   * Runs what an earlier process left unfinished. To be called once the platform's functions are registered and the
   * host listens; until then invocations of functions that do not exist (yet) wait, afterwards they have failed.
   */
  start(): void
  /** Calls a function and waits for its answer. Throws ResourceNotFoundException; a function's error is a result. */
  invoke(functionName: string, payload: unknown): Promise<InvokeResult>
  /** Resolves when the invocation is on disk: it will then run at least once, even if this process dies now. */
  invokeAsync(functionNameOrArn: string, payload: unknown, source?: InvocationSource): Promise<void>
  /** Resolves when every accepted invocation is finished, apart from those that wait for `start()`. */
  idle(): Promise<void>
}

const CLOSE_GRACE_SECONDS = 1.5

export async function lambda(options: LambdaOptions): Promise<LambdaService> {
  const parts = assemble(options)
  const { functions, queue } = parts
  let closing: Promise<void> | undefined
  return {
    handle: (req, res) => handle(parts, req, res),
    platform: (name, handler) => functions.register(functionName(name), handler),
    isolated: (name, definition) => functions.registerIsolated(functionName(name), definition),
    start: () => queue.start(),
    invoke: async (reference, payload) => {
      const outcome = await runNow(parts, functionName(reference), JSON.stringify(payload ?? {}))
      return { ...outcome, payload: JSON.parse(outcome.payload) as unknown }
    },
    invokeAsync: async (reference, payload, source) =>
      queue.accept({ ...newInvocation(functionName(reference), JSON.stringify(payload ?? {})), source }),
    idle: () => queue.idle(),
    close: () => (closing ??= close(parts)),
  }
}

async function close({ queue, executor }: LambdaParts): Promise<void> {
  await queue.stop(CLOSE_GRACE_SECONDS)
  queue.close()
  await executor.close()
}

function assemble(options: LambdaOptions): LambdaParts {
  const onLog = options.onLog ?? (() => {})
  const dir = join(options.dataDir, 'lambda')
  const functions = new Functions(join(dir, 'functions'))
  const runsHere = (name: string) => functions.platformHandler(name) !== undefined
  const executor = new Executor({ functions, agentEnvironment: options.agentEnvironment ?? {}, onLog })
  const queue = new AsyncQueue({
    journal: new InvocationJournal(join(dir, 'invocations.jsonl')),
    deadLetterFile: join(dir, 'dead-letters.jsonl'),
    retryDelaySeconds: options.retryDelaySeconds ?? [1, 2],
    find: (name) => functions.find(name),
    mayInvoke: ({ policy, configuration }, { source }) =>
      !source ||
      runsHere(configuration.name) ||
      allowsInvocation(policy, source.principal, source.sourceArn, ACCOUNT_ID),
    hasFreeSlot: (name) => executor.hasFreeSlot(name),
    runsHere,
    execute: (name, call) => executor.execute(name, call),
    newInvocation,
    onLog,
  })
  executor.onFree = (name) => queue.pump(name)
  return { functions, executor, queue, credentials: options.credentials }
}

const table = [invokeRoute, ...routes]

async function handle(parts: LambdaParts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const requestId = randomUUID()
  try {
    const body = await readInput(req)
    const url = new URL(req.url ?? '/', 'http://lambda')
    const found = findRoute(table, req.method ?? '', url.pathname, url.searchParams)
    if (!found) throw new AwsError(404, 'UnknownOperationException', `There is no ${req.method} ${url.pathname}`)
    const { route, name, detail } = found
    const request = { name, detail, query: url.searchParams, headers: req.headers, body }
    send(res, requestId, 'application/json', await route.answer(parts, request))
  } catch (error) {
    sendError(res, requestId, error)
  }
}

function sendError(res: ServerResponse, requestId: string, error: unknown): void {
  const known = error instanceof AwsError ? error : new AwsError(500, 'ServiceException', String(error))
  send(res, requestId, 'application/json', {
    status: known.status,
    headers: { 'x-amzn-errortype': known.type },
    body: JSON.stringify({
      Type: known.status < 500 ? 'User' : 'Service',
      Message: known.message,
      message: known.message,
    }),
  })
}
