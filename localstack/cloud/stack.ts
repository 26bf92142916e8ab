/**
 * What serverless.yml declares, as the embedded cloud needs it: functions with their environment, routes and rules, and
 * the resources under them. serverless.yml is the one declaration for AWS and for this machine.
 * Reads files only; stack/deploy.ts makes the resources, server.ts serves the functions.
 */
import { resolve as resolvePath } from 'node:path'
import * as z from 'zod'
import type { CorsOptions } from './gateway/cors.ts'
import { API_ID, WEBSOCKET_API_ID } from './gateway/event.ts'
import { REGION } from './service.ts'
import { intrinsics, type Resolver, type Resource, WEB_DOMAIN } from './stack/intrinsics.ts'
import { readServerlessYaml } from './stack/variables.ts'

/** When a function runs by itself: on events that match a pattern, or by the clock. */
export interface StackRule {
  name: string
  /** Absent for the default bus, where schedules live. */
  busName?: string
  pattern?: Record<string, unknown>
  /** `rate(1 minute)` or `cron(...)`. */
  schedule?: string
  input?: unknown
  /** What of the event the function is given instead, see eventbridge/target-input.ts. */
  inputTransformer?: InputTransformer
  retryPolicy?: { MaximumEventAgeInSeconds?: number; MaximumRetryAttempts?: number }
  deadLetterArn?: string
}

interface InputTransformer {
  inputTemplate: string
  inputPathsMap?: Record<string, string>
}

export interface StackFunction {
  /** Its key in serverless.yml. */
  key: string
  /** What it is called in Lambda: `<service>-<stage>-<key>`. */
  name: string
  /** Absolute path of the module, without extension. */
  modulePath: string
  exportName: string
  timeoutSeconds: number
  memoryMegabytes: number
  /** Runs customers' code: in a process of its own, without the environment of the others. */
  isolated: boolean
  /** What it gets beyond the environment all functions share. */
  environment: Record<string, string>
  routeKeys: string[]
  /** Routes of the WebSocket API: `$connect`, `$disconnect`, `$default` or an action. */
  webSocketRouteKeys: string[]
  rules: StackRule[]
}

export interface StackTable {
  name: string
  /** The properties of CloudFormation's AWS::DynamoDB::Table, which are those of CreateTable. */
  properties: Record<string, unknown>
  expiryAttribute?: string
}

export interface StackBucket {
  name: string
  corsRules: unknown[]
}

export interface Stack {
  /** `<service>-<stage>`: begins the name of everything that belongs to the stack. */
  name: string
  stage: string
  functions: StackFunction[]
  /** What every function sees. */
  environment: Record<string, string>
  cors?: CorsOptions
  tables: StackTable[]
  buckets: StackBucket[]
  busNames: string[]
  /** Ids of the KMS keys. */
  keyIds: string[]
  /** Headers of the web application's pages: of all, and of those that other pages may hold in a frame. */
  webHeaders: { pages: Record<string, string>; framed: Record<string, string> }
}

export interface StackOptions {
  /** Directory of serverless.yml. */
  root: string
  stage?: string
  /** Stands for the address AWS gives the API; without a slash at its end. */
  apiUrl?: string
  /** Stands for the value of a Secrets Manager secret CloudFormation would make. */
  secret?: string
  env?: Record<string, string | undefined>
}

const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const Environment = z.record(z.string(), Scalar)
const Rule = z.object({
  eventBus: z.string().optional(),
  pattern: z.record(z.string(), z.unknown()).optional(),
  schedule: z.string().optional(),
  input: z.unknown().optional(),
  retryPolicy: z
    .object({ maximumEventAge: z.number().optional(), maximumRetryAttempts: z.number().optional() })
    .optional(),
  deadLetterQueueArn: z.string().optional(),
})
const Schedule = z.union([
  z.string(),
  z.object({
    rate: z.union([z.string(), z.array(z.string())]),
    input: z.unknown().optional(),
    inputTransformer: z
      .object({ inputTemplate: z.string(), inputPathsMap: z.record(z.string(), z.string()).optional() })
      .optional(),
  }),
])
const Route = z.union([z.string(), z.object({ method: z.string().default('*'), path: z.string() })])
const WebSocketRoute = z.union([z.string(), z.object({ route: z.string() }).transform(({ route }) => route)])
const Event = z.strictObject({
  httpApi: Route.optional(),
  websocket: WebSocketRoute.optional(),
  eventBridge: Rule.optional(),
  schedule: Schedule.optional(),
})
const FunctionShape = z.object({
  handler: z.string().regex(/^[\w./-]+\.\w+$/, 'must be path/to/module.export'),
  timeout: z.number().optional(),
  memorySize: z.number().optional(),
  environment: Environment.default({}),
  events: z.array(Event).nullish(),
})
const FunctionMap = z.record(z.string(), FunctionShape)
const ResourceMap = z.record(
  z.string(),
  z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).optional() }),
)
const Cors = z.object({
  allowedOrigins: z.array(z.string()).optional(),
  allowedHeaders: z.array(z.string()).optional(),
  allowedMethods: z.array(z.string()).optional(),
  exposedResponseHeaders: z.array(z.string()).optional(),
  allowCredentials: z.boolean().optional(),
  maxAge: z.number().optional(),
})
const Template = z.object({
  service: z.string(),
  custom: z.object({ isolated: z.array(z.string()).default([]) }).default({ isolated: [] }),
  provider: z.object({
    environment: Environment.default({}),
    timeout: z.number().default(6),
    memorySize: z.number().default(1024),
    httpApi: z.object({ cors: Cors.optional() }).default({}),
  }),
  functions: z.union([
    FunctionMap,
    z.array(FunctionMap).transform((maps): z.infer<typeof FunctionMap> => Object.assign({}, ...maps)),
  ]),
})

/**
 * Reads `<root>/serverless.yml` and all it includes.
 * @throws Error naming the file and the key that is missing or wrong
 */
export function readStack(options: StackOptions): Stack {
  const stage = options.stage ?? 'dev'
  const yaml = readServerlessYaml({ root: options.root, stage, env: options.env ?? process.env })
  const name = `${yaml.service}-${stage}`
  const resources = parse(
    ResourceMap,
    (yaml.resources as { Resources?: unknown } | undefined)?.Resources ?? {},
    'resources',
  )
  const resolver = intrinsics(name, resources)
  const {
    service: _service,
    custom,
    provider,
    functions,
  } = parse(Template, resolver.resolve({ ...yaml, resources: undefined }), 'serverless.yml')
  const local = (environment: Record<string, string>) => localValues(environment, options)
  return {
    name,
    stage,
    environment: local(provider.environment),
    cors: provider.httpApi.cors,
    functions: Object.entries(functions).map(([key, shape]) => ({
      ...functionOf(name, key, shape),
      modulePath: resolvePath(options.root, shape.handler.slice(0, shape.handler.lastIndexOf('.'))),
      timeoutSeconds: shape.timeout ?? provider.timeout,
      memoryMegabytes: shape.memorySize ?? provider.memorySize,
      isolated: custom.isolated.includes(key),
      environment: local(shape.environment),
    })),
    tables: ofType(resources, 'AWS::DynamoDB::Table').map(([id, resource]) => tableOf(resolver, id, resource)),
    buckets: ofType(resources, 'AWS::S3::Bucket').map(([id, resource]) => bucketOf(resolver, id, resource)),
    busNames: ofType(resources, 'AWS::Events::EventBus').map(([id]) => resolver.nameOf(id)),
    keyIds: ofType(resources, 'AWS::KMS::Key').map(([id]) => resolver.nameOf(id)),
    webHeaders: {
      pages: local(headersOf(resolver, resources.WebHeaders)),
      framed: local(headersOf(resolver, resources.WebFramedHeaders)),
    },
  }
}

const HeaderPolicy = z.object({
  ResponseHeadersPolicyConfig: z.object({
    CorsConfig: z.object({ AccessControlAllowOrigins: z.object({ Items: z.array(z.string()) }) }).optional(),
    SecurityHeadersConfig: z.object({
      ContentSecurityPolicy: z.object({ ContentSecurityPolicy: z.string() }),
      ReferrerPolicy: z.object({ ReferrerPolicy: z.string() }),
    }),
  }),
})

/** What a policy of CloudFront says beyond HTTPS, as headers. */
function headersOf(resolver: Resolver, policy: Resource | undefined): Record<string, string> {
  if (!policy) return {}
  const { CorsConfig, SecurityHeadersConfig } = parse(
    HeaderPolicy,
    resolver.resolve(policy.Properties),
    'resources',
  ).ResponseHeadersPolicyConfig
  return {
    'content-security-policy': SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy,
    'referrer-policy': SecurityHeadersConfig.ReferrerPolicy.ReferrerPolicy,
    'x-content-type-options': 'nosniff',
    ...(CorsConfig && { 'access-control-allow-origin': CorsConfig.AccessControlAllowOrigins.Items.join(',') }),
  }
}

function functionOf(stackName: string, key: string, shape: z.infer<typeof FunctionShape>) {
  const events = shape.events ?? []
  return {
    key,
    name: `${stackName}-${key}`,
    exportName: shape.handler.slice(shape.handler.lastIndexOf('.') + 1),
    routeKeys: events.flatMap(({ httpApi }) => (httpApi ? [routeKeyOf(httpApi)] : [])),
    webSocketRouteKeys: events.flatMap(({ websocket }) => (websocket ? [websocket] : [])),
    rules: events.flatMap((event, index) => rulesOf(event, `${stackName}.${key}.${index + 1}`)),
  }
}

function routeKeyOf(route: z.infer<typeof Route>): string {
  const [method, path] = typeof route === 'string' ? route.split(' ') : [route.method, route.path]
  if (path === undefined || path === '*') return '$default'
  return `${method === '*' ? 'ANY' : method!.toUpperCase()} ${path}`
}

/** The dots keep these names apart from those of rules made at run time. */
function rulesOf({ eventBridge, schedule }: z.infer<typeof Event>, name: string): StackRule[] {
  if (eventBridge) {
    const { eventBus, pattern, schedule: clock, input, retryPolicy, deadLetterQueueArn } = eventBridge
    return [
      {
        name,
        busName: eventBus,
        pattern,
        schedule: clock,
        input,
        deadLetterArn: deadLetterQueueArn,
        retryPolicy: retryPolicy && {
          MaximumEventAgeInSeconds: retryPolicy.maximumEventAge,
          MaximumRetryAttempts: retryPolicy.maximumRetryAttempts,
        },
      },
    ]
  }
  if (!schedule) return []
  const { rate, ...given } = typeof schedule === 'string' ? { rate: schedule } : schedule
  return [rate].flat().map((each, index) => ({ name: index ? `${name}.${index}` : name, schedule: each, ...given }))
}

function tableOf(resolver: Resolver, id: string, resource: Resource): StackTable {
  const { TimeToLiveSpecification, ...properties } = resolver.resolve(resource.Properties) as Record<string, unknown>
  const expiry = TimeToLiveSpecification as { AttributeName?: string } | undefined
  return { name: resolver.nameOf(id), properties, expiryAttribute: expiry?.AttributeName }
}

function bucketOf(resolver: Resolver, id: string, { Properties }: Resource): StackBucket {
  const cors = resolver.resolve(Properties?.CorsConfiguration) as { CorsRules?: unknown[] } | undefined
  return { name: resolver.nameOf(id), corsRules: cors?.CorsRules ?? [] }
}

const ofType = (resources: Record<string, Resource>, type: string) =>
  Object.entries(resources).filter(([, resource]) => resource.Type === type)

const AWS_API_URL = `https://${API_ID}.execute-api.${REGION}.amazonaws.com`
const AWS_WEBSOCKET_URL = `wss://${WEBSOCKET_API_ID}.execute-api.${REGION}.amazonaws.com`
const DYNAMIC_SECRET = /\{\{resolve:secretsmanager:[^}]*\}\}/g

/** What CloudFormation fills in while it deploys: the addresses of its own and the secret it made. */
function localValues(environment: Record<string, string>, { apiUrl, secret }: StackOptions): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [
      key,
      value
        .replace(AWS_API_URL, () => apiUrl ?? AWS_API_URL)
        .replace(`https://${WEB_DOMAIN}`, () => apiUrl ?? `https://${WEB_DOMAIN}`)
        .replace(AWS_WEBSOCKET_URL, () => apiUrl?.replace(/^http/, 'ws') ?? AWS_WEBSOCKET_URL)
        .replace(DYNAMIC_SECRET, (reference) => secret ?? reference),
    ]),
  )
}

function parse<S extends z.ZodType>(shape: S, value: unknown, where: string): z.output<S> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  throw new Error(`${where}: ${path.join('.')}: ${message}`)
}
