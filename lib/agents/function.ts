/** An agent's own Lambda function: made, changed and described at run time. Every step can be repeated. */
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
import { AGENT_ATTEMPTS, AGENT_MEGABYTES, AGENT_QUEUE_SECONDS, AGENT_SECONDS } from '../../schemas/agent.ts'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'
import { unlessMissing } from './missing.ts'
import type { Package } from './zip.ts'

const lambda = new LambdaClient(clientDefaults())

/** How long Lambda may take to make a change effective; an HTTP request ends after 30 s. */
const WAIT = { client: lambda, maxWaitTime: 25, minDelay: 1, maxDelay: 2 }

export interface AgentFunction {
  arn: string
  /** SHA-256 of the package it runs, in base64. */
  codeSha256?: string | undefined
  variables: Record<string, string>
}

/** The function as it stands, or undefined when there is none. */
export async function describeFunction(name: string): Promise<AgentFunction | undefined> {
  const found = await unlessMissing(lambda.send(new GetFunctionConfigurationCommand({ FunctionName: name })))
  return (
    found && { arn: found.FunctionArn!, codeSha256: found.CodeSha256, variables: found.Environment?.Variables ?? {} }
  )
}

/** Makes the function, or gives the existing one this code and these variables. Answers its ARN once it can be called. */
export async function putFunction(name: string, code: Package, variables: Record<string, string>): Promise<string> {
  const existing = await describeFunction(name)
  const arn = existing
    ? await changeFunction(name, existing, code, variables)
    : await createFunction(name, code, variables)
  await reportOutcomes(name)
  return arn
}

/** Lets one rule call the function. */
export async function allowRule(functionName: string, ruleName: string, ruleArn: string): Promise<void> {
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

const settings = (variables: Record<string, string>, timeoutSeconds = AGENT_SECONDS) => ({
  Runtime: env().AGENT_RUNTIME as FunctionConfiguration['Runtime'],
  Role: env().AGENT_ROLE_ARN,
  Handler: 'index.handler',
  Timeout: timeoutSeconds,
  MemorySize: AGENT_MEGABYTES,
  Environment: { Variables: variables },
  ...(env().AGENT_LOG_GROUP ? { LoggingConfig: { LogGroup: env().AGENT_LOG_GROUP } } : {}),
})

/** Makes a function that can be called when this returns. It knows no variables of the platform but those given. */
export async function createFunction(
  name: string,
  { zip }: Package,
  variables: Record<string, string>,
  timeoutSeconds = AGENT_SECONDS,
): Promise<string> {
  const command = new CreateFunctionCommand({
    FunctionName: name,
    Code: { ZipFile: zip },
    ...settings(variables, timeoutSeconds),
  })
  const created = await lambda.send(command)
  if (created.State !== 'Active') await waitUntilFunctionActiveV2(WAIT, { FunctionName: name })
  return created.FunctionArn!
}

async function changeFunction(
  name: string,
  before: AgentFunction,
  code: Package,
  variables: Record<string, string>,
): Promise<string> {
  await settle(
    name,
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: name, ...settings(variables) })),
  )
  if (before.codeSha256 !== code.sha256) {
    await settle(name, await lambda.send(new UpdateFunctionCodeCommand({ FunctionName: name, ZipFile: code.zip })))
  }
  return before.arn
}

async function settle(name: string, change: FunctionConfiguration): Promise<void> {
  if (change.LastUpdateStatus === 'InProgress') await waitUntilFunctionUpdatedV2(WAIT, { FunctionName: name })
}

/** Two further attempts, then (or after success) the outcome goes to the platform. */
async function reportOutcomes(name: string): Promise<void> {
  const { AGENT_FINISHED_ARN } = env()
  const destination = { Destination: AGENT_FINISHED_ARN }
  await lambda.send(
    new PutFunctionEventInvokeConfigCommand({
      FunctionName: name,
      MaximumRetryAttempts: AGENT_ATTEMPTS - 1,
      MaximumEventAgeInSeconds: AGENT_QUEUE_SECONDS,
      ...(AGENT_FINISHED_ARN ? { DestinationConfig: { OnSuccess: destination, OnFailure: destination } } : {}),
    }),
  )
}
