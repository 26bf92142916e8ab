/** Deletes an agent's Lambda function; separate from creation because it needs fewer permissions. */
import { DeleteFunctionCommand, LambdaClient, RemovePermissionCommand } from '@aws-sdk/client-lambda'
import { createClient } from '../core/aws-client.ts'
import { ignoreNotFound } from '../core/aws-errors.ts'

const lambda = createClient(LambdaClient)

/** In AWS a running invocation still finishes; locally it is ended. */
export async function removeFunction(name: string): Promise<void> {
  await ignoreNotFound(lambda.send(new DeleteFunctionCommand({ FunctionName: name })))
}

export async function removeRulePermission(functionName: string, ruleName: string): Promise<void> {
  await ignoreNotFound(lambda.send(new RemovePermissionCommand({ FunctionName: functionName, StatementId: ruleName })))
}
