/**
 * `npm run admin -- create --email ada@example.com --name Ada --account Example [--stage prod] [--password ...]`:
 * creates an account with its administrator and environment keys, by invoking the function `create-account`.
 */
import { parseArgs } from 'node:util'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import type { CreatedAccount } from '../../functions/system/create-account.ts'

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
const result = JSON.parse(text) as CreatedAccount | { errors: { key: string; message: string }[] }
if ('errors' in result) {
  for (const { key, message } of result.errors) console.error(`${key}: ${message}`)
  process.exitCode = 1
} else {
  console.log(JSON.stringify(result, null, 2))
  console.error('The password is shown only once: store it in a safe place.')
  console.error('Administrators can see the keys again on the keys page and with GET /api/v1/auth/api-keys.')
}
