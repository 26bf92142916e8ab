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

const codeInput = {
  ZipFile: z.string().optional(),
  S3Bucket: z.string().optional(),
  ImageUri: z.string().optional(),
}

export const createFunctionInput = z.object({
  ...settings,
  Code: z.object(codeInput),
  Description: settings.Description.default(''),
  Environment: settings.Environment.optional(),
  FunctionName: z.string(),
  MemorySize: settings.MemorySize.default(128),
  PackageType: z.enum(['Zip', 'Image']).default('Zip'),
  Publish: z.boolean().default(false),
  Tags: z.record(z.string(), z.string()).default({}),
  Timeout: settings.Timeout.default(3),
})

export const updateConfigurationInput = z.object({ ...settings, RevisionId: z.string() }).partial()

export const updateCodeInput = z.object({
  ...codeInput,
  DryRun: z.boolean().default(false),
  Publish: z.boolean().default(false),
  RevisionId: z.string().optional(),
})

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
  revisionId: string
  lastModified: string
}

export function createConfiguration(
  input: z.output<typeof createFunctionInput>,
  code: CodeInfo,
): FunctionConfiguration {
  if (input.PackageType !== 'Zip') throw invalidParameter('Container images are not supported: upload a ZipFile')
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
    ...createRevision(),
  }
}

export function updateConfiguration(
  existing: FunctionConfiguration,
  input: z.output<typeof updateConfigurationInput>,
): FunctionConfiguration {
  checkRevision(existing, input.RevisionId)
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
    ...createRevision(),
  }
}

export const replaceCode = (existing: FunctionConfiguration, code: CodeInfo): FunctionConfiguration => ({
  ...existing,
  code,
  codeId: randomUUID(),
  ...createRevision(),
})

const createRevision = () => ({
  revisionId: randomUUID(),
  lastModified: new Date().toISOString().replace('Z', '+0000'),
})

export function checkRevision(current: { revisionId: string }, expected: string | undefined): void {
  if (expected === undefined || expected === current.revisionId) return
  throw new AwsError(
    412,
    'PreconditionFailedException',
    'The Revision Id provided does not match the latest Revision Id. Call the GetFunction API to retrieve the latest Revision Id',
  )
}

export function readUploadedCode(code: { ZipFile?: string; S3Bucket?: string; ImageUri?: string }): Buffer {
  if (code.S3Bucket || code.ImageUri)
    throw invalidParameter('Only inline packages are supported: upload the code as ZipFile')
  if (!code.ZipFile) throw invalidParameter('Please provide a source for function code.')
  return Buffer.from(code.ZipFile, 'base64')
}

export function assertNoPublish(publish: boolean): void {
  if (publish) throw invalidParameter('Versions are not supported: omit Publish')
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
  RevisionId: configuration.revisionId,
  State: 'Active',
  LastUpdateStatus: 'Successful',
  PackageType: 'Zip',
  Architectures: [process.arch === 'arm64' ? 'arm64' : 'x86_64'],
})
