/** Runs the data retention schedule for one environment as if it were `days` later. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { getServer } from './api.ts'

export async function runRetentionLater(environmentId: string, days: number): Promise<Record<string, number>> {
  const lambda = new LambdaClient({ endpoint: getServer().cloud, region: 'us-east-1' })
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: `${getServer().environment.PLATFORM_PREFIX}expire`,
      Payload: JSON.stringify({ time: new Date(Date.now() + days * 86_400_000).toISOString(), environmentId }),
    }),
  )
  const result = Buffer.from(Payload!).toString()
  if (FunctionError) throw new Error(`${FunctionError}: ${result}`)
  return JSON.parse(result)
}
