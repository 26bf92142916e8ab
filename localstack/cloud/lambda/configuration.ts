/**
 * What a function is configured to be: the input shapes of Create/UpdateFunction*, the record kept of it, and the
 * FunctionConfiguration that clients are shown. Knows nothing of files, processes or HTTP.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { CodeFacts } from './code.ts'
import { functionArn, functionName } from './names.ts'
import { AwsError } from './wire.ts'

const ENVIRONMENT_LIMIT_BYTES = 4096
const RUNTIME = /^nodejs\d+\.x$/
/** Lambda's reserved environment variables that a function may not set itself. */
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
  code: CodeFacts
  /** Names the folder of the unpacked code: a new one for every upload. */
  codeId: string
  /** Changes with every change of code or configuration. */
  revisionId: string
  lastModified: string
}

/** The configuration CreateFunction asks for. Throws when it names something that cannot run here. */
export function newConfiguration(input: z.output<typeof createFunctionInput>, code: CodeFacts): FunctionConfiguration {
  if (input.PackageType !== 'Zip') throw invalidParameter('Container images are not run here: upload a ZipFile')
  checkRuntime(input.Runtime)
  return {
    name: functionName(input.FunctionName),
    runtime: input.Runtime,
    role: input.Role,
    handler: input.Handler,
    description: input.Description,
    timeoutSeconds: input.Timeout,
    memoryMegabytes: input.MemorySize,
    environment: checkedEnvironment(input.Environment),
    code,
    codeId: randomUUID(),
    ...newRevision(),
  }
}

/** The configuration after UpdateFunctionConfiguration: what the input leaves out stays. */
export function updatedConfiguration(
  before: FunctionConfiguration,
  input: z.output<typeof updateConfigurationInput>,
): FunctionConfiguration {
  checkRevision(before, input.RevisionId)
  if (input.Runtime) checkRuntime(input.Runtime)
  return {
    ...before,
    runtime: input.Runtime ?? before.runtime,
    role: input.Role ?? before.role,
    handler: input.Handler ?? before.handler,
    description: input.Description ?? before.description,
    timeoutSeconds: input.Timeout ?? before.timeoutSeconds,
    memoryMegabytes: input.MemorySize ?? before.memoryMegabytes,
    environment: input.Environment ? checkedEnvironment(input.Environment) : before.environment,
    ...newRevision(),
  }
}

export const withNewCode = (before: FunctionConfiguration, code: CodeFacts): FunctionConfiguration => ({
  ...before,
  code,
  codeId: randomUUID(),
  ...newRevision(),
})

const newRevision = () => ({
  revisionId: randomUUID(),
  lastModified: new Date().toISOString().replace('Z', '+0000'),
})

/** Throws when a caller expects another revision than the current one. */
export function checkRevision(current: { revisionId: string }, expected: string | undefined): void {
  if (expected === undefined || expected === current.revisionId) return
  throw new AwsError(
    412,
    'PreconditionFailedException',
    'The Revision Id provided does not match the latest Revision Id. Call the GetFunction API to retrieve the latest Revision Id',
  )
}

/** The uploaded package. Throws unless it came inline, as a ZipFile. */
export function uploadedCode(code: { ZipFile?: string; S3Bucket?: string; ImageUri?: string }): Buffer {
  if (code.S3Bucket || code.ImageUri)
    throw invalidParameter('Code is taken from ZipFile only: upload the package inline')
  if (!code.ZipFile) throw invalidParameter('Please provide a source for function code.')
  return Buffer.from(code.ZipFile, 'base64')
}

export function refusePublish(publish: boolean): void {
  if (publish) throw invalidParameter('Versions are not kept here: leave out Publish')
}

function checkRuntime(runtime: string): void {
  if (RUNTIME.test(runtime)) return
  throw invalidParameter(
    `Value ${runtime} at 'runtime' failed to satisfy constraint: only Node.js runtimes (nodejs22.x, nodejs24.x) run here`,
  )
}

function checkedEnvironment(input: { Variables?: Record<string, string> } | undefined): Record<string, string> {
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
  if (Buffer.byteLength(JSON.stringify(variables)) > ENVIRONMENT_LIMIT_BYTES) {
    throw invalidParameter(
      'Lambda was unable to configure your environment variables because the environment variables you have provided ' +
        `exceeded the ${ENVIRONMENT_LIMIT_BYTES / 1024}KB limit.`,
    )
  }
  return variables
}

/** The FunctionConfiguration that clients see; a function is ready as soon as it is written, so waiters end at once. */
export const describeConfiguration = (configuration: FunctionConfiguration) => ({
  FunctionName: configuration.name,
  FunctionArn: functionArn(configuration.name),
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
