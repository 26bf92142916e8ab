/** Function configurations: input schemas, the stored record and the API's FunctionConfiguration. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { CodeInfo } from './code.ts'
import { buildFunctionArn, parseFunctionName } from './names.ts'
import { AwsError } from './wire.ts'

const MAX_ENVIRONMENT_BYTES = 4096
const RUNTIME = /^nodejs\d+\.x$/
const RESERVED_VARIABLES = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_DEFAULT_REGION',
  'AWS_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_LAMBDA_RUNTIME_API',
  'LAMBDA_TASK_ROOT',
  'LAMBDA_RUNTIME_DIR',
])

export const invalidParameter = (message: string) => new AwsError(400, 'InvalidParameterValueException', message)

const settings = {
  Description: z.string().max(256),
  Environment: z.object({ Variables: z.record(z.string(), z.string()).optional() }),
  Handler: z.string().max(128).regex(/^\S+$/),
  MemorySize: z.int().min(128).max(10_240),
  Role: z.string().regex(/^arn:aws:iam::\d{12}:role\/\S+$/),
  Runtime: z.string(),
  Timeout: z.int().min(1).max(900),
}

/** Strict schemas reject what this Lambda would ignore. Only the log group has no meaning here. */
const codeInput = z.strictObject({ ZipFile: z.string().optional() })
const LoggingConfig = z.unknown().optional()

export const createFunctionInput = z.strictObject({
  ...settings,
  LoggingConfig,
  Code: codeInput,
  Description: settings.Description.default(''),
  Environment: settings.Environment.optional(),
  FunctionName: z.string(),
  MemorySize: settings.MemorySize.default(128),
  Timeout: settings.Timeout.default(3),
})

export const updateConfigurationInput = z.strictObject({ ...settings, LoggingConfig }).partial()

export const updateCodeInput = codeInput

export interface FunctionConfiguration {
  name: string
  runtime: string
  role: string
  handler: string
  description: string
  timeoutSeconds: number
  memoryMegabytes: number
  environment: Record<string, string>
  code: CodeInfo
  codeId: string
  lastModified: string
}

export function createConfiguration(
  input: z.output<typeof createFunctionInput>,
  code: CodeInfo,
): FunctionConfiguration {
  checkRuntime(input.Runtime)
  return {
    name: parseFunctionName(input.FunctionName),
    runtime: input.Runtime,
    role: input.Role,
    handler: input.Handler,
    description: input.Description,
    timeoutSeconds: input.Timeout,
    memoryMegabytes: input.MemorySize,
    environment: validateEnvironment(input.Environment),
    code,
    codeId: randomUUID(),
    lastModified: formatNow(),
  }
}

export function updateConfiguration(
  existing: FunctionConfiguration,
  input: z.output<typeof updateConfigurationInput>,
): FunctionConfiguration {
  if (input.Runtime) checkRuntime(input.Runtime)
  return {
    ...existing,
    runtime: input.Runtime ?? existing.runtime,
    role: input.Role ?? existing.role,
    handler: input.Handler ?? existing.handler,
    description: input.Description ?? existing.description,
    timeoutSeconds: input.Timeout ?? existing.timeoutSeconds,
    memoryMegabytes: input.MemorySize ?? existing.memoryMegabytes,
    environment: input.Environment ? validateEnvironment(input.Environment) : existing.environment,
    lastModified: formatNow(),
  }
}

export const replaceCode = (existing: FunctionConfiguration, code: CodeInfo): FunctionConfiguration => ({
  ...existing,
  code,
  codeId: randomUUID(),
  lastModified: formatNow(),
})

export const formatNow = () => new Date().toISOString().replace('Z', '+0000')

export function readUploadedCode({ ZipFile }: z.output<typeof codeInput>): Buffer {
  if (!ZipFile) throw invalidParameter('Please provide a source for function code.')
  return Buffer.from(ZipFile, 'base64')
}

function checkRuntime(runtime: string): void {
  if (RUNTIME.test(runtime)) return
  throw invalidParameter(
    `Value ${runtime} at 'runtime' failed to satisfy constraint: only Node.js runtimes (nodejs22.x, nodejs24.x) are supported`,
  )
}

function validateEnvironment(input: { Variables?: Record<string, string> } | undefined): Record<string, string> {
  const variables = input?.Variables ?? {}
  const names = Object.keys(variables)
  const malformed = names.find((name) => !/^[a-zA-Z][a-zA-Z0-9_]+$/.test(name) && !RESERVED_VARIABLES.has(name))
  if (malformed !== undefined) {
    throw invalidParameter(`Environment variable name '${malformed}' must match [a-zA-Z]([a-zA-Z0-9_])+`)
  }
  const reserved = names.filter((name) => RESERVED_VARIABLES.has(name))
  if (reserved.length) {
    throw invalidParameter(
      'Lambda was unable to configure your environment variables because the environment variables you have provided ' +
        'contains reserved keys that are currently not supported for modification. ' +
        `Reserved keys used in this request: ${reserved.join(', ')}`,
    )
  }
  if (Buffer.byteLength(JSON.stringify(variables)) > MAX_ENVIRONMENT_BYTES) {
    throw invalidParameter(
      'Lambda was unable to configure your environment variables because the environment variables you have provided ' +
        `exceeded the ${MAX_ENVIRONMENT_BYTES / 1024}KB limit.`,
    )
  }
  return variables
}

/** Always Active, so that waiters return immediately. */
export const describeConfiguration = (configuration: FunctionConfiguration) => ({
  FunctionName: configuration.name,
  FunctionArn: buildFunctionArn(configuration.name),
  Runtime: configuration.runtime,
  Role: configuration.role,
  Handler: configuration.handler,
  CodeSize: configuration.code.sizeBytes,
  CodeSha256: configuration.code.sha256,
  Description: configuration.description,
  Timeout: configuration.timeoutSeconds,
  MemorySize: configuration.memoryMegabytes,
  LastModified: configuration.lastModified,
  Version: '$LATEST',
  Environment: Object.keys(configuration.environment).length ? { Variables: configuration.environment } : undefined,
  State: 'Active',
  LastUpdateStatus: 'Successful',
  PackageType: 'Zip',
  Architectures: [process.arch === 'arm64' ? 'arm64' : 'x86_64'],
})
