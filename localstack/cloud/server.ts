/**
 * The embedded cloud: DynamoDB, S3, Lambda, EventBridge, KMS, SES and STS on one address, an HTTP API on another, in one process,
 * with the stack of serverless.yml deployed in it. Its functions run here, from source, and reach the cloud through the
 * AWS SDK like anywhere else.
 */
import { join } from 'node:path'
import { dynamodb } from './dynamodb/index.ts'
import { eventbridge } from './eventbridge/index.ts'
import { type BodyLimit, gateway, type Route } from './gateway.ts'
import { kms } from './kms.ts'
import { lambda } from './lambda/index.ts'
import { s3 } from './s3/index.ts'
import { CannotStartError } from './server/cannot-start.ts'
import { dataFolderProblem, openDataFolder } from './server/data-folder.ts'
import { dispatcher } from './server/dispatch.ts'
import {
  type CloudAccess,
  dataFolderSecret,
  functionEnvironment,
  newCredentials,
  setEnvironment,
  toolEnvironment,
} from './server/environment.ts'
import { type FaultPlan, faultPlan } from './server/fault-plan.ts'
import { faults } from './server/faults.ts'
import { isFromPage, refusePage } from './server/foreign.ts'
import { isolatedFunction } from './server/isolated.ts'
import { type Listener, listen } from './server/listen.ts'
import { lockDataFolder } from './server/lock.ts'
import { type PlatformFunction, platformFunction, preload } from './server/platform.ts'
import { signed } from './server/signed.ts'
import { REGION, type Service } from './service.ts'
import { ses } from './ses.ts'
import type { Credentials } from './signature/signature.ts'
import { type ClientConfig, deployResources, deployRules } from './stack/deploy.ts'
import { readStack, type Stack, type StackFunction } from './stack.ts'
import { type WebFolder, webPages } from './web.ts'
import { type WebSocketRoute, webSocketApi } from './websocket.ts'

export { CannotStartError } from './server/cannot-start.ts'

export interface CloudOptions {
  /** Everything the cloud keeps is below this folder; one process at a time. */
  dataDir: string
  /** Port of the AWS services; 0 for any free one. */
  cloudPort: number
  /** Port of the HTTP API; 0 for any free one. */
  apiPort: number
  stage?: string
  /** Directory of serverless.yml; the working directory when absent. */
  root?: string
  /** Further ports of this machine that the platform listens on: webhooks and OpenID providers may not be there. */
  ownPorts?: readonly number[]
  /** Troubles on purpose once the stack is deployed, see `CLOUD_FAULTS` in localstack/README.md; none when absent. */
  faults?: string
  /** Told of each run of a function of the stack, once it has ended. */
  onRun?: (run: { key: string; memoryMegabytes: number; milliseconds: number }) => void
  /** How large the bodies of a route's requests may be, by method; AWS's limits when absent. */
  bodyLimit?: (routeKey: string, method: string) => BodyLimit
  /** The built web application, served at `/` beside the API as the distribution of serverless.yml does; none when absent. */
  web?: WebFolder
}

export interface Cloud {
  /** Where the AWS services answer: `http://127.0.0.1:<port>`. */
  endpoint: string
  /** Where the HTTP API answers; `BASE_URL` is this and `/api`. */
  apiUrl: string
  /** What the functions see, the credentials of this start among it; already set on this process. */
  environment: Record<string, string>
  /** What other programs need in their environment to ask this cloud. */
  access: Record<string, string>
  lambda: Awaited<ReturnType<typeof lambda>>
  eventbridge: Awaited<ReturnType<typeof eventbridge>>
  /** Settles once every function's module is imported; requests are answered before, too. */
  loaded: Promise<void>
  /** Stops within about 2 s and puts the environment back; a second call waits for the first. */
  close(): Promise<void>
}

/** How long requests, and at the same time functions and agents, may take to end. What is cut off is run again at the next start. */
const REQUEST_GRACE_MS = 1_000
const COMPUTE_GRACE_MS = 2_000

type Undo = (() => unknown)[]

/** @throws CannotStartError when a port or the data folder cannot be had, or the faults cannot be read: print its message and exit */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const undo: Undo = []
  try {
    return await start(options, undo)
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}

/**
 * What is undone last comes first: clients and what runs for them are let go, then the storage below. The ports come before the
 * data folder: a start that cannot be leaves nothing behind.
 */
async function start(options: CloudOptions, undo: Undo): Promise<Cloud> {
  const plan = planOf(options.faults)
  const [cloudListener, apiListener] = await listeners(options, undo)
  undo.push(withoutDebugger())
  undo.push(lockedFolder(options.dataDir))
  let restoreEnvironment = () => {}
  undo.push(() => restoreEnvironment())
  const credentials = newCredentials()
  const services = await openServices(options.dataDir, credentials)
  undo.push(() => Promise.all([services.dynamodb.close(), services.s3.close()]))
  const stopping = new AbortController()
  const closeCompute = () => Promise.all([services.eventbridge.close(), services.lambda.close()])
  let closeSockets = async () => {}
  undo.push(async () => {
    stopping.abort()
    const closeApi = () => apiListener.close(REQUEST_GRACE_MS)
    await Promise.all([closeSockets().then(closeApi), atMost(COMPUTE_GRACE_MS, closeCompute())])
    await cloudListener.close(0)
  })

  const { url: endpoint } = cloudListener
  const { url: apiUrl } = apiListener
  const secret = dataFolderSecret(options.dataDir)
  const stack = readStack({ root: options.root ?? process.cwd(), stage: options.stage, apiUrl, secret })
  const ownPorts = [portOf(endpoint), portOf(apiUrl), ...(options.ownPorts ?? [])]
  const access: CloudAccess = { endpoint, credentials, ownPorts }
  const environment = functionEnvironment(stack, access)
  restoreEnvironment = setEnvironment(environment)
  const functions = new Map(
    stack.functions
      .filter(({ isolated }) => !isolated)
      .map((each) => [each.name, told(platformFunction(each), each, options.onRun)]),
  )
  for (const [name, { invoke }] of functions) services.lambda.platform(name, invoke)
  const root = options.root ?? process.cwd()
  for (const each of stack.functions.filter(({ isolated }) => isolated))
    services.lambda.isolated(each.name, isolatedFunction(root, join(options.dataDir, 'isolated'), each))

  for (const id of stack.keyIds) services.kms.ensureKey(id)
  const trouble = faults()
  cloudListener.serve(dispatcher(services, trouble, credentials))
  await deployStack(stack, { endpoint, region: REGION, credentials })
  trouble.begin(plan)
  const api = gateway({ routes: routesOf(stack, functions, options.bodyLimit), cors: stack.cors })
  const sockets = webSocketApi({ routes: webSocketRoutesOf(stack, functions), stage: stack.stage })
  closeSockets = sockets.close
  const connections = signed('connections', credentials, sockets.handle)
  apiListener.upgrade(sockets.upgrade)
  const pages = options.web && webPages(options.web, stack.webHeaders, endpoint)
  apiListener.serve((req, res) => {
    if (!sockets.manages(req)) void (pages?.serves(req) ? pages : api).handle(req, res)
    else if (isFromPage(req)) refusePage(req, res)
    else void connections(req, res)
  })
  services.lambda.start()
  const loaded = preload(functions.values(), stopping.signal)
  let closing: Promise<void> | undefined
  return {
    endpoint,
    apiUrl,
    environment,
    access: toolEnvironment(access),
    lambda: services.lambda,
    eventbridge: services.eventbridge,
    loaded,
    close: () => (closing ??= undoAll(undo)),
  }
}

async function listeners({ cloudPort, apiPort }: CloudOptions, undo: Undo): Promise<[cloud: Listener, api: Listener]> {
  const cloud = await listen(cloudPort, 'CLOUD_PORT')
  undo.push(() => cloud.close(0))
  const api = await listen(apiPort, 'PORT')
  undo.push(() => api.close(0))
  return [cloud, api]
}

const portOf = (url: string): number => Number(new URL(url).port)

/** @returns what gives it back */
function lockedFolder(dataDir: string): () => void {
  openDataFolder(dataDir)
  try {
    return lockDataFolder(dataDir)
  } catch (error) {
    throw dataFolderProblem(dataDir, error)
  }
}

/**
 * Node opens a debugger, to which any program of this machine may connect, on a signal that any process of this user may send: an
 * agent would be in this process with it. @returns what puts it back
 */
function withoutDebugger(): () => void {
  const ignore = () => {}
  process.on('SIGUSR1', ignore)
  return () => void process.off('SIGUSR1', ignore)
}

function told(
  made: PlatformFunction,
  { key, memoryMegabytes }: StackFunction,
  onRun: CloudOptions['onRun'],
): PlatformFunction {
  if (!onRun) return made
  const invoke: PlatformFunction['invoke'] = async (event, context) => {
    const began = performance.now()
    return made.invoke(event, context).finally(() => {
      onRun({ key, memoryMegabytes, milliseconds: performance.now() - began })
    })
  }
  return { ...made, invoke }
}

function planOf(text = ''): FaultPlan {
  try {
    return faultPlan(text)
  } catch (error) {
    throw new CannotStartError(`CLOUD_FAULTS: ${(error as Error).message}`)
  }
}

async function openServices(dataDir: string, credentials: Credentials) {
  const openLambda = lambda({ dataDir, credentials })
  const opening = {
    dynamodb: dynamodb({ dataDir: join(dataDir, 'dynamodb') }),
    s3: s3({ dataDir: join(dataDir, 's3'), ...credentials }),
    lambda: openLambda,
    eventbridge: openLambda.then((opened) => eventbridge({ dataDir, lambda: opened })),
  }
  const settled = await Promise.allSettled<Service>(Object.values(opening))
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed) {
    await Promise.all(settled.map((each) => each.status === 'fulfilled' && each.value.close()))
    throw failed.reason
  }
  return {
    dynamodb: await opening.dynamodb,
    s3: await opening.s3,
    lambda: await opening.lambda,
    eventbridge: await opening.eventbridge,
    kms: kms({ folder: join(dataDir, 'kms') }),
    ses: ses({ folder: join(dataDir, 'mails') }),
  }
}

async function deployStack(stack: Stack, config: ClientConfig): Promise<void> {
  await deployResources(stack, config)
  await deployRules(stack, config)
}

/** An isolated function has no routes. */
const invokeOf =
  (functions: Map<string, PlatformFunction>, name: string): PlatformFunction['invoke'] =>
  (event, context) =>
    functions.get(name)!.invoke(event, context)

function routesOf(
  stack: Stack,
  functions: Map<string, PlatformFunction>,
  bodyLimit: CloudOptions['bodyLimit'],
): Route[] {
  return stack.functions.flatMap(({ name: functionName, routeKeys }) => {
    const invoke = invokeOf(functions, functionName)
    return routeKeys.map((routeKey) => ({
      routeKey,
      functionName,
      invoke,
      ...(bodyLimit ? { bodyLimit: (method: string) => bodyLimit(routeKey, method) } : {}),
    }))
  })
}

function webSocketRoutesOf(stack: Stack, functions: Map<string, PlatformFunction>): WebSocketRoute[] {
  return stack.functions.flatMap(({ name: functionName, webSocketRouteKeys }) => {
    const invoke = invokeOf(functions, functionName)
    return webSocketRouteKeys.map((routeKey) => ({ routeKey, functionName, invoke }))
  })
}

async function undoAll(undo: Undo): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step()
}

/** Resolves with the work or after `ms`, whichever is first. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, expired]).finally(() => clearTimeout(timer))
}

/** Closes a started cloud on the first SIGINT or SIGTERM and ends the process; a second signal ends it at once. */
export function closeOnSignals(cloud: Pick<Cloud, 'close'>): void {
  const stop = (signal: NodeJS.Signals) => {
    for (const each of ['SIGINT', 'SIGTERM'] as const) process.off(each, stop)
    cloud.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`Not stopped cleanly on ${signal}:`, error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}
