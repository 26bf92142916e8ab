/** The embedded cloud: AWS services on one port and the HTTP API on another, with the stack of serverless.yml. */
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { startDynamodb } from './dynamodb/index.ts'
import { startEventbridge } from './eventbridge/index.ts'
import { type BodyLimit, createGateway, type Route } from './gateway.ts'
import { startKms } from './kms.ts'
import { startLambda } from './lambda/index.ts'
import { startS3 } from './s3/index.ts'
import { CannotStartError } from './server/cannot-start.ts'
import { openDataFolder, toDataFolderError } from './server/data-folder.ts'
import { createDispatcher } from './server/dispatch.ts'
import {
  buildFunctionEnvironment,
  buildToolEnvironment,
  type CloudAccess,
  createCredentials,
  loadDataFolderSecret,
  setEnvironment,
} from './server/environment.ts'
import { type FaultPlan, parseFaultPlan } from './server/fault-plan.ts'
import { createFaultInjector } from './server/faults.ts'
import { createIsolatedFunction } from './server/isolated-function.ts'
import { type Listener, listen } from './server/listen.ts'
import { lockDataFolder } from './server/lock.ts'
import { createPlatformFunction, type ImportFunction, type PlatformFunction, preload } from './server/platform.ts'
import { isFromPage, rejectPage } from './server/reject-web-pages.ts'
import { requireSignature } from './server/require-signature.ts'
import { REGION, type Service } from './service.ts'
import { createSes } from './ses.ts'
import type { Credentials } from './signature/signature.ts'
import { type ClientConfig, deployResources, deployRules } from './stack/deploy.ts'
import { readStack, type Stack, type StackFunction } from './stack.ts'
import { createWebPages, type WebApplication } from './web.ts'
import { createWebSocketApi, type WebSocketRoute } from './websocket.ts'

export type { BodyLimit } from './gateway.ts'
export { CannotStartError } from './server/cannot-start.ts'
export type { Service } from './service.ts'
export type { WebApplication } from './web.ts'

export interface CloudOptions {
  dataDir: string
  cloudPort: number
  apiPort: number
  stage?: string
  root?: string
  /** Variables of the functions that replace those of the stack, given both ports of the cloud. */
  buildVariables?: (ports: number[]) => Record<string, string>
  /** Paths below the root that isolated functions read at run time, by function key. */
  readFiles?: Readonly<Record<string, readonly string[]>>
  /** Imports the module of a function; from its source below the root by default. */
  importFunction?: ImportFunction
  /** Fault injection after deployment, see README.md; none by default. */
  faults?: string
  onRun?: (run: { key: string; memoryMegabytes: number; milliseconds: number }) => void
  bodyLimit?: (routeKey: string, method: string) => BodyLimit
  /** Request line and headers together, on both ports. Node's default is 16 KB. */
  maxHeaderBytes?: number
  web?: WebApplication
}

export interface Cloud {
  endpoint: string
  apiUrl: string
  serve: RequestListener
  /** The functions' environment, including credentials; already set on this process. */
  environment: Record<string, string>
  access: Record<string, string>
  lambda: Awaited<ReturnType<typeof startLambda>>
  eventbridge: Awaited<ReturnType<typeof startEventbridge>>
  /** Resolves once every function's module is imported; requests are served before that too. */
  loaded: Promise<void>
  close(): Promise<void>
}

/** Grace periods for requests, functions and agents. Aborted work runs again at the next start. */
const REQUEST_GRACE_MS = 1_000
const COMPUTE_GRACE_MS = 2_000

type Cleanups = (() => unknown)[]

/** @throws CannotStartError for an unavailable port or data folder, or invalid faults: print its message and exit */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const cleanups: Cleanups = []
  try {
    return await start(options, cleanups)
  } catch (error) {
    await runCleanups(cleanups)
    throw error
  }
}

/** Cleanup runs in reverse order. Ports are bound first, so that a failed start leaves no data folder behind. */
async function start(options: CloudOptions, cleanups: Cleanups): Promise<Cloud> {
  const plan = parseFaults(options.faults)
  const [cloudListener, apiListener] = await openListeners(options, cleanups)
  cleanups.push(blockDebugger())
  cleanups.push(lockFolder(options.dataDir))
  let restoreEnvironment = () => {}
  cleanups.push(() => restoreEnvironment())
  const credentials = createCredentials()
  const services = await openServices(options.dataDir, credentials)
  cleanups.push(() => Promise.all([services.dynamodb.close(), services.s3.close()]))
  const stopping = new AbortController()
  const closeCompute = () => Promise.all([services.eventbridge.close(), services.lambda.close()])
  let closeSockets = async () => {}
  cleanups.push(async () => {
    stopping.abort()
    const closeApi = () => apiListener.close(REQUEST_GRACE_MS)
    await Promise.all([closeSockets().then(closeApi), waitAtMost(COMPUTE_GRACE_MS, closeCompute())])
    await cloudListener.close(0)
  })

  const { url: endpoint } = cloudListener
  const { url: apiUrl } = apiListener
  const root = options.root ?? process.cwd()
  const secret = loadDataFolderSecret(options.dataDir)
  const stack = readStack({ root, stage: options.stage, apiUrl, secret })
  const access: CloudAccess = { endpoint, credentials }
  const variables = options.buildVariables?.([endpoint, apiUrl].map((url) => Number(new URL(url).port)))
  const environment = buildFunctionEnvironment(stack, access, variables)
  restoreEnvironment = setEnvironment(environment)
  const functions = new Map(
    stack.functions
      .filter(({ isolated }) => !isolated)
      .map((definition) => [
        definition.name,
        reportRuns(createPlatformFunction(definition, options.importFunction), definition, options.onRun),
      ]),
  )
  for (const [name, { invoke }] of functions) services.lambda.registerPlatformFunction(name, invoke)
  for (const definition of stack.functions.filter(({ isolated }) => isolated))
    services.lambda.registerIsolatedFunction(
      definition.name,
      createIsolatedFunction(
        { root, target: join(options.dataDir, 'isolated') },
        definition,
        options.readFiles?.[definition.key],
      ),
    )

  for (const id of stack.keyIds) services.kms.ensureKey(id)
  const faultInjector = createFaultInjector()
  const serve = createDispatcher(services, faultInjector, credentials)
  cloudListener.serve(serve)
  await deployStack(stack, { endpoint, region: REGION, credentials })
  faultInjector.start(plan)
  const api = createGateway({ routes: buildRoutes(stack, functions, options.bodyLimit), cors: stack.cors })
  const sockets = createWebSocketApi({ routes: buildWebSocketRoutes(stack, functions), stage: stack.stage })
  closeSockets = sockets.close
  const connections = requireSignature('connections', credentials, sockets.handle)
  apiListener.upgrade(sockets.upgrade)
  const pages = options.web && createWebPages(options.web, stack.webHeaders, endpoint)
  apiListener.serve((req, res) => {
    if (!sockets.isConnectionRequest(req)) void (pages?.serves(req) ? pages : api).handle(req, res)
    else if (isFromPage(req)) rejectPage(req, res)
    else void connections(req, res)
  })
  services.lambda.start()
  const loaded = preload(functions.values(), stopping.signal)
  let closing: Promise<void> | undefined
  return {
    endpoint,
    apiUrl,
    serve,
    environment,
    access: buildToolEnvironment(access),
    lambda: services.lambda,
    eventbridge: services.eventbridge,
    loaded,
    close: () => (closing ??= runCleanups(cleanups)),
  }
}

async function openListeners(
  { cloudPort, apiPort, maxHeaderBytes }: CloudOptions,
  cleanups: Cleanups,
): Promise<[cloud: Listener, api: Listener]> {
  const cloud = await listen(cloudPort, 'CLOUD_PORT', maxHeaderBytes)
  cleanups.push(() => cloud.close(0))
  const api = await listen(apiPort, 'PORT', maxHeaderBytes)
  cleanups.push(() => api.close(0))
  return [cloud, api]
}

function lockFolder(dataDir: string): () => void {
  openDataFolder(dataDir)
  try {
    return lockDataFolder(dataDir)
  } catch (error) {
    throw toDataFolderError(dataDir, error)
  }
}

/** On SIGUSR1 Node opens a debugger, through which any local process could get into this one. */
function blockDebugger(): () => void {
  const ignore = () => {}
  process.on('SIGUSR1', ignore)
  return () => void process.off('SIGUSR1', ignore)
}

function reportRuns(
  wrapped: PlatformFunction,
  { key, memoryMegabytes }: StackFunction,
  onRun: CloudOptions['onRun'],
): PlatformFunction {
  if (!onRun) return wrapped
  const invoke: PlatformFunction['invoke'] = async (event, context) => {
    const startedAt = performance.now()
    return wrapped.invoke(event, context).finally(() => {
      onRun({ key, memoryMegabytes, milliseconds: performance.now() - startedAt })
    })
  }
  return { ...wrapped, invoke }
}

function parseFaults(text = ''): FaultPlan {
  try {
    return parseFaultPlan(text)
  } catch (error) {
    throw new CannotStartError(`CLOUD_FAULTS: ${(error as Error).message}`)
  }
}

async function openServices(dataDir: string, credentials: Credentials) {
  const lambdaOpening = startLambda({ dataDir, credentials })
  const opening = {
    dynamodb: startDynamodb({ dataDir: join(dataDir, 'dynamodb') }),
    s3: startS3({ dataDir: join(dataDir, 's3'), ...credentials }),
    lambda: lambdaOpening,
    eventbridge: lambdaOpening.then((lambdaService) => startEventbridge({ dataDir, lambda: lambdaService })),
  }
  const results = await Promise.allSettled<Service>(Object.values(opening))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) {
    await Promise.all(results.map((result) => result.status === 'fulfilled' && result.value.close()))
    throw failed.reason
  }
  return {
    dynamodb: await opening.dynamodb,
    s3: await opening.s3,
    lambda: await opening.lambda,
    eventbridge: await opening.eventbridge,
    kms: startKms({ folder: join(dataDir, 'kms') }),
    ses: createSes({ folder: join(dataDir, 'mails') }),
  }
}

async function deployStack(stack: Stack, config: ClientConfig): Promise<void> {
  await deployResources(stack, config)
  await deployRules(stack, config)
}

const createInvoke =
  (functions: Map<string, PlatformFunction>, name: string): PlatformFunction['invoke'] =>
  (event, context) =>
    functions.get(name)!.invoke(event, context)

function buildRoutes(
  stack: Stack,
  functions: Map<string, PlatformFunction>,
  bodyLimit: CloudOptions['bodyLimit'],
): Route[] {
  return stack.functions.flatMap(({ name: functionName, routeKeys }) => {
    const invoke = createInvoke(functions, functionName)
    return routeKeys.map((routeKey) => ({
      routeKey,
      functionName,
      invoke,
      ...(bodyLimit ? { bodyLimit: (method: string) => bodyLimit(routeKey, method) } : {}),
    }))
  })
}

function buildWebSocketRoutes(stack: Stack, functions: Map<string, PlatformFunction>): WebSocketRoute[] {
  return stack.functions.flatMap(({ name: functionName, webSocketRouteKeys }) => {
    const invoke = createInvoke(functions, functionName)
    return webSocketRouteKeys.map((routeKey) => ({ routeKey, functionName, invoke }))
  })
}

async function runCleanups(cleanups: Cleanups): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

export function closeOnSignals(cloud: Pick<Cloud, 'close'>): void {
  const stop = (signal: NodeJS.Signals) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
    cloud.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`Shutdown failed after ${signal}:`, error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}
