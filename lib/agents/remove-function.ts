/** Removes an agent's Lambda function: fewer may do this than may make one. Every step can be repeated. */
import { DeleteFunctionCommand, LambdaClient, RemovePermissionCommand } from '@aws-sdk/client-lambda'
import { clientDefaults } from '../core/cloud.ts'
import { unlessMissing } from './missing.ts'

const lambda = new LambdaClient(clientDefaults())

/** Removes the function with its permissions. In AWS a call that runs at the moment is finished; locally it ends. */
export async function removeFunction(name: string): Promise<void> {
  await unlessMissing(lambda.send(new DeleteFunctionCommand({ FunctionName: name })))
}

export async function forbidRule(functionName: string, ruleName: string): Promise<void> {
  await unlessMissing(lambda.send(new RemovePermissionCommand({ FunctionName: functionName, StatementId: ruleName })))
}
