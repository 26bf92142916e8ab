/** Runs the schedule of data retention as if it were so many days later, for one environment. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { server } from './api.ts'

export async function expireLater(environmentId: string, days: number): Promise<Record<string, number>> {
  const lambda = new LambdaClient({ endpoint: server().cloud, region: 'us-east-1' })
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: `${server().environment.PLATFORM_PREFIX}expire`,
      Payload: JSON.stringify({ time: new Date(Date.now() + days * 86_400_000).toISOString(), environmentId }),
    }),
  )
  const answer = Buffer.from(Payload!).toString()
  if (FunctionError) throw new Error(`${FunctionError}: ${answer}`)
  return JSON.parse(answer)
}
