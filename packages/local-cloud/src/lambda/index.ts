/** The embedded Lambda: deployed functions in separate processes, the platform's in this one. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { ACCOUNT_ID, type Service } from '../service.ts'
import type { Credentials } from '../signature/signature.ts'
import { AsyncQueue } from './async-queue.ts'
import { Executor } from './executor.ts'
import { Functions, type IsolatedFunction, type PlatformHandler } from './functions.ts'
import { invokeNow, invokeRoute, newInvocation } from './invoke.ts'
import { InvocationJournal, type InvocationSource } from './journal.ts'
import { parseFunctionName } from './names.ts'
import type { LambdaComponents } from './operations.ts'
import { allowsInvocation } from './policy.ts'
import { findRoute, routes } from './routes.ts'
import { AwsError, readInput, send } from './wire.ts'

export type { InvocationSource } from './journal.ts'

export interface LambdaOptions {
  dataDir: string
  credentials?: Credentials
  /** Pauses before the second and before any further asynchronous attempt; AWS has [60, 120]. */
  retryDelaySeconds?: [number, number]
  onLog?: (line: string) => void
}

export interface InvokeResult {
  payload: unknown
  functionError?: 'Unhandled'
  log: string
}

export interface LambdaService extends Service {
  registerPlatformFunction(functionName: string, handler: PlatformHandler): void
  /** Registers a platform function that runs customers' code: in separate processes, without variables. */
  registerIsolatedFunction(functionName: string, definition: IsolatedFunction): void
  /** Call after registering the platform functions: from then on, invocations of unknown functions fail. */
  start(): void
  invoke(functionName: string, payload: unknown): Promise<InvokeResult>
  /** Resolves when the invocation is on disk: it will run at least once, even if this process dies. */
  invokeAsync(functionNameOrArn: string, payload: unknown, source?: InvocationSource): Promise<void>
  idle(): Promise<void>
}

const CLOSE_GRACE_SECONDS = 1.5

export async function startLambda(options: LambdaOptions): Promise<LambdaService> {
  const components = createComponents(options)
  const { functions, queue } = components
  let closing: Promise<void> | undefined
  return {
    handle: (req, res) => handle(components, req, res),
    registerPlatformFunction: (name, handler) => functions.register(parseFunctionName(name), handler),
    registerIsolatedFunction: (name, definition) => functions.registerIsolated(parseFunctionName(name), definition),
    start: () => queue.start(),
    invoke: async (reference, payload) => {
      const outcome = await invokeNow(components, parseFunctionName(reference), JSON.stringify(payload ?? {}))
      return { ...outcome, payload: JSON.parse(outcome.payload) as unknown }
    },
    invokeAsync: async (reference, payload, source) =>
      queue.accept({ ...newInvocation(parseFunctionName(reference), JSON.stringify(payload ?? {})), source }),
    idle: () => queue.waitUntilIdle(),
    close: () => (closing ??= close(components)),
  }
}

async function close({ queue, executor }: LambdaComponents): Promise<void> {
  await queue.stop(CLOSE_GRACE_SECONDS)
  queue.close()
  await executor.close()
}

function createComponents(options: LambdaOptions): LambdaComponents {
  const onLog = options.onLog ?? (() => {})
  const dir = join(options.dataDir, 'lambda')
  const functions = new Functions(join(dir, 'functions'))
  const runsInProcess = (name: string) => functions.getPlatformHandler(name) !== undefined
  const executor = new Executor({ functions, onLog })
  const queue = new AsyncQueue({
    journal: new InvocationJournal(join(dir, 'invocations.jsonl')),
    deadLetterFile: join(dir, 'dead-letters.jsonl'),
    retryDelaySeconds: options.retryDelaySeconds ?? [1, 2],
    find: (name) => functions.find(name),
    canInvoke: ({ policy, configuration }, { source }) =>
      !source ||
      runsInProcess(configuration.name) ||
      allowsInvocation(policy, source.principal, source.sourceArn, ACCOUNT_ID),
    hasFreeSlot: (name) => executor.hasFreeSlot(name),
    runsInProcess,
    execute: (name, call) => executor.execute(name, call),
    newInvocation,
    onLog,
  })
  executor.onCallEnd = (name) => queue.pump(name)
  return { functions, executor, queue, credentials: options.credentials }
}

const table = [invokeRoute, ...routes]

async function handle(components: LambdaComponents, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const requestId = randomUUID()
  try {
    const body = await readInput(req)
    const url = new URL(req.url ?? '/', 'http://lambda')
    const match = findRoute(table, req.method ?? '', url.pathname, url.searchParams)
    if (!match) throw new AwsError(404, 'UnknownOperationException', `Unknown operation ${req.method} ${url.pathname}`)
    const { route, name, detail } = match
    const request = { name, detail, query: url.searchParams, headers: req.headers, body }
    send(res, requestId, 'application/json', await route.handle(components, request))
  } catch (error) {
    sendError(res, requestId, error)
  }
}

function sendError(res: ServerResponse, requestId: string, error: unknown): void {
  const awsError = error instanceof AwsError ? error : new AwsError(500, 'ServiceException', String(error))
  send(res, requestId, 'application/json', {
    status: awsError.status,
    headers: { 'x-amzn-errortype': awsError.type },
    body: JSON.stringify({
      Type: awsError.status < 500 ? 'User' : 'Service',
      Message: awsError.message,
      message: awsError.message,
    }),
  })
}
