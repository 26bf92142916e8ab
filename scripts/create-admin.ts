/**
 * `npm run admin:create -- --email ada@example.com --name Ada --account Example [--stage prod] [--password ...]`: the first
 * account of a deployment, or a further one, with its administrator and the keys of its environments. Takes the AWS
 * credentials of the shell, which must be allowed to call the deployment's function `create-account`.
 */
import { parseArgs } from 'node:util'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import type { CreatedAccount } from '../functions/system/create-account.ts'

const { values } = parseArgs({
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    account: { type: 'string' },
    password: { type: 'string' },
    stage: { type: 'string', default: 'dev' },
    region: { type: 'string', default: process.env.AWS_REGION ?? 'us-east-1' },
  },
})
const { stage, region, ...config } = values
const FunctionName = `wharf-${stage}-create-account`
const lambda = new LambdaClient({ region })
const { FunctionError, Payload } = await lambda.send(
  new InvokeCommand({ FunctionName, Payload: JSON.stringify(config) }),
)
const text = Buffer.from(Payload ?? []).toString('utf8')
if (FunctionError) throw new Error(`${FunctionName} failed: ${text}`)
const answer = JSON.parse(text) as CreatedAccount | { errors: { key: string; message: string }[] }
if ('errors' in answer) {
  for (const { key, message } of answer.errors) console.error(`${key}: ${message}`)
  process.exitCode = 1
} else {
  console.log(JSON.stringify(answer, null, 2))
  console.error('The password is shown here and nowhere else: keep it in a safe place.')
  console.error('The keys are shown again to administrators, on the page of keys and by GET /api/v1/auth/api-keys.')
}
