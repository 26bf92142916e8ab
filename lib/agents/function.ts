/** Creates, updates and describes an agent's own Lambda function. Every step can be repeated. */
import {
  AddPermissionCommand,
  CreateFunctionCommand,
  type FunctionConfiguration,
  GetFunctionConfigurationCommand,
  LambdaClient,
  PutFunctionEventInvokeConfigCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionActiveV2,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda'
import {
  AGENT_MEGABYTES,
  MAX_AGENT_ATTEMPTS,
  MAX_AGENT_QUEUE_SECONDS,
  MAX_AGENT_SECONDS,
} from '../../schemas/agents/shape.ts'
import { createClient } from '../core/aws-client.ts'
import { ignoreNotFound } from '../core/aws-errors.ts'
import { env } from '../core/env.ts'
import type { Package } from './zip.ts'

const lambda = createClient(LambdaClient)

const WAITER_OPTIONS = { client: lambda, maxWaitTime: 25, minDelay: 1, maxDelay: 2 }

export interface AgentFunction {
  arn: string
  codeSha256?: string | undefined
  variables: Record<string, string>
}

export async function describeFunction(name: string): Promise<AgentFunction | undefined> {
  const configuration = await ignoreNotFound(lambda.send(new GetFunctionConfigurationCommand({ FunctionName: name })))
  return (
    configuration && {
      arn: configuration.FunctionArn!,
      codeSha256: configuration.CodeSha256,
      variables: configuration.Environment?.Variables ?? {},
    }
  )
}

export async function putFunction(name: string, code: Package, variables: Record<string, string>): Promise<string> {
  const existing = await describeFunction(name)
  const arn = existing
    ? await updateFunction(name, existing, code, variables)
    : await createFunction(name, code, variables)
  await configureDestinations(name)
  return arn
}

export async function addRulePermission(functionName: string, ruleName: string, ruleArn: string): Promise<void> {
  const permission = new AddPermissionCommand({
    FunctionName: functionName,
    StatementId: ruleName,
    Action: 'lambda:InvokeFunction',
    Principal: 'events.amazonaws.com',
    SourceArn: ruleArn,
  })
  await lambda.send(permission).catch((error: Error) => {
    if (error.name !== 'ResourceConflictException') throw error
  })
}

const buildSettings = (variables: Record<string, string>, timeoutSeconds = MAX_AGENT_SECONDS) => ({
  Runtime: env().AGENT_RUNTIME as FunctionConfiguration['Runtime'],
  Role: env().AGENT_ROLE_ARN,
  Handler: 'index.handler',
  Timeout: timeoutSeconds,
  MemorySize: AGENT_MEGABYTES,
  Environment: { Variables: variables },
  ...(env().AGENT_LOG_GROUP ? { LoggingConfig: { LogGroup: env().AGENT_LOG_GROUP } } : {}),
})

/** The function can be called when this returns. It sees no platform variables except those passed. */
export async function createFunction(
  name: string,
  { zip }: Package,
  variables: Record<string, string>,
  timeoutSeconds = MAX_AGENT_SECONDS,
): Promise<string> {
  const command = new CreateFunctionCommand({
    FunctionName: name,
    Code: { ZipFile: zip },
    ...buildSettings(variables, timeoutSeconds),
  })
  const created = await lambda.send(command)
  if (created.State !== 'Active') await waitUntilFunctionActiveV2(WAITER_OPTIONS, { FunctionName: name })
  return created.FunctionArn!
}

async function updateFunction(
  name: string,
  before: AgentFunction,
  code: Package,
  variables: Record<string, string>,
): Promise<string> {
  await waitUntilUpdated(
    name,
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: name, ...buildSettings(variables) })),
  )
  if (before.codeSha256 !== code.sha256) {
    await waitUntilUpdated(
      name,
      await lambda.send(new UpdateFunctionCodeCommand({ FunctionName: name, ZipFile: code.zip })),
    )
  }
  return before.arn
}

async function waitUntilUpdated(name: string, change: FunctionConfiguration): Promise<void> {
  if (change.LastUpdateStatus === 'InProgress') await waitUntilFunctionUpdatedV2(WAITER_OPTIONS, { FunctionName: name })
}

/** Lambda retries a run twice, then sends its outcome, success or failure, to the platform. */
async function configureDestinations(name: string): Promise<void> {
  const { AGENT_FINISHED_ARN } = env()
  const destination = { Destination: AGENT_FINISHED_ARN }
  await lambda.send(
    new PutFunctionEventInvokeConfigCommand({
      FunctionName: name,
      MaximumRetryAttempts: MAX_AGENT_ATTEMPTS - 1,
      MaximumEventAgeInSeconds: MAX_AGENT_QUEUE_SECONDS,
      ...(AGENT_FINISHED_ARN ? { DestinationConfig: { OnSuccess: destination, OnFailure: destination } } : {}),
    }),
  )
}
