/** Reads the stack from serverless.yml: functions with their environment, routes and rules, and resources. */
import { resolve as resolvePath } from 'node:path'
import * as z from 'zod'
import type { CorsOptions } from './gateway/cors.ts'
import { API_ID, WEBSOCKET_API_ID } from './gateway/event.ts'
import { REGION } from './service.ts'
import { createResolver, type Resolver, type Resource, WEB_DOMAIN } from './stack/intrinsics.ts'
import { readServerlessYaml } from './stack/variables.ts'

export interface StackRule {
  name: string
  busName?: string
  pattern?: Record<string, unknown>
  schedule?: string
  input?: unknown
  inputTransformer?: InputTransformer
  retryPolicy?: { MaximumEventAgeInSeconds?: number; MaximumRetryAttempts?: number }
  deadLetterArn?: string
}

interface InputTransformer {
  inputTemplate: string
  inputPathsMap?: Record<string, string>
}

export interface StackFunction {
  key: string
  name: string
  /** As in serverless.yml: relative to the root, with slashes, without an extension. */
  module: string
  modulePath: string
  exportName: string
  timeoutSeconds: number
  memoryMegabytes: number
  isolated: boolean
  environment: Record<string, string>
  routeKeys: string[]
  webSocketRouteKeys: string[]
  rules: StackRule[]
}

export interface StackTable {
  name: string
  properties: Record<string, unknown>
  expiryAttribute?: string
}

export interface Stack {
  name: string
  stage: string
  functions: StackFunction[]
  environment: Record<string, string>
  cors?: CorsOptions
  tables: StackTable[]
  bucketNames: string[]
  busNames: string[]
  keyIds: string[]
  webHeaders: { pages: Record<string, string>; framed: Record<string, string> }
}

export interface StackOptions {
  root: string
  stage?: string
  apiUrl?: string
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

export function readStack(options: StackOptions): Stack {
  const stage = options.stage ?? 'dev'
  const yaml = readServerlessYaml({ root: options.root, stage, env: options.env ?? process.env })
  const name = `${yaml.service}-${stage}`
  const resources = parseShape(
    ResourceMap,
    (yaml.resources as { Resources?: unknown } | undefined)?.Resources ?? {},
    'resources',
  )
  const resolver = createResolver(name, resources)
  const {
    service: _service,
    custom,
    provider,
    functions,
  } = parseShape(Template, resolver.resolve({ ...yaml, resources: undefined }), 'serverless.yml')
  const resolveLocalValues = (environment: Record<string, string>) => replaceAwsValues(environment, options)
  return {
    name,
    stage,
    environment: resolveLocalValues(provider.environment),
    cors: provider.httpApi.cors,
    functions: Object.entries(functions).map(([key, shape]) => ({
      ...buildFunction(name, key, shape, options.root),
      timeoutSeconds: shape.timeout ?? provider.timeout,
      memoryMegabytes: shape.memorySize ?? provider.memorySize,
      isolated: custom.isolated.includes(key),
      environment: resolveLocalValues(shape.environment),
    })),
    tables: filterByType(resources, 'AWS::DynamoDB::Table').map(([id, resource]) => buildTable(resolver, id, resource)),
    bucketNames: filterByType(resources, 'AWS::S3::Bucket').map(([id]) => resolver.getName(id)),
    busNames: filterByType(resources, 'AWS::Events::EventBus').map(([id]) => resolver.getName(id)),
    keyIds: filterByType(resources, 'AWS::KMS::Key').map(([id]) => resolver.getName(id)),
    webHeaders: {
      pages: resolveLocalValues(buildHeaders(resolver, resources.WebHeaders)),
      framed: resolveLocalValues(buildHeaders(resolver, resources.WebFramedHeaders)),
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

function buildHeaders(resolver: Resolver, policy: Resource | undefined): Record<string, string> {
  if (!policy) return {}
  const { CorsConfig, SecurityHeadersConfig } = parseShape(
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

function buildFunction(stackName: string, key: string, shape: z.infer<typeof FunctionShape>, root: string) {
  const events = shape.events ?? []
  const [, module = '', exportName = ''] = /^(.+)\.(\w+)$/.exec(shape.handler)!
  return {
    key,
    name: `${stackName}-${key}`,
    module,
    modulePath: resolvePath(root, module),
    exportName,
    routeKeys: events.flatMap(({ httpApi }) => (httpApi ? [buildRouteKey(httpApi)] : [])),
    webSocketRouteKeys: events.flatMap(({ websocket }) => (websocket ? [websocket] : [])),
    rules: events.flatMap((event, index) => buildRules(event, `${stackName}.${key}.${index + 1}`)),
  }
}

function buildRouteKey(route: z.infer<typeof Route>): string {
  const [method, path] = typeof route === 'string' ? route.split(' ') : [route.method, route.path]
  if (path === undefined || path === '*') return '$default'
  return `${method === '*' ? 'ANY' : method!.toUpperCase()} ${path}`
}

function buildRules({ eventBridge, schedule }: z.infer<typeof Event>, name: string): StackRule[] {
  if (eventBridge) {
    const { eventBus, pattern, schedule: ruleSchedule, input, retryPolicy, deadLetterQueueArn } = eventBridge
    return [
      {
        name,
        busName: eventBus,
        pattern,
        schedule: ruleSchedule,
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
  const { rate, ...scheduleOptions } = typeof schedule === 'string' ? { rate: schedule } : schedule
  return [rate]
    .flat()
    .map((expression, index) => ({ name: index ? `${name}.${index}` : name, schedule: expression, ...scheduleOptions }))
}

function buildTable(resolver: Resolver, id: string, resource: Resource): StackTable {
  const { TimeToLiveSpecification, ...properties } = resolver.resolve(resource.Properties) as Record<string, unknown>
  const expiry = TimeToLiveSpecification as { AttributeName?: string } | undefined
  return { name: resolver.getName(id), properties, expiryAttribute: expiry?.AttributeName }
}

const filterByType = (resources: Record<string, Resource>, type: string) =>
  Object.entries(resources).filter(([, resource]) => resource.Type === type)

const AWS_API_URL = `https://${API_ID}.execute-api.${REGION}.amazonaws.com`
const AWS_WEBSOCKET_URL = `wss://${WEBSOCKET_API_ID}.execute-api.${REGION}.amazonaws.com`
const DYNAMIC_SECRET = /\{\{resolve:secretsmanager:[^}]*\}\}/g

function replaceAwsValues(
  environment: Record<string, string>,
  { apiUrl, secret }: StackOptions,
): Record<string, string> {
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

function parseShape<S extends z.ZodType>(shape: S, value: unknown, location: string): z.output<S> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  throw new Error(`${location}: ${path.join('.')}: ${message}`)
}
