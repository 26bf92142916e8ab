/**
 * Has a deployment sign its access tokens with a new key from now on: `npm run keys:rotate -- --stage prod`. With `--revoke` the
 * keys before are dropped, and with them every token they signed: after a key or WHARF_SECRET got into wrong hands.
 */
import { parseArgs } from 'node:util'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'

const { values } = parseArgs({
  options: { stage: { type: 'string', default: 'dev' }, revoke: { type: 'boolean', default: false } },
})
const FunctionName = `wharf-${values.stage}-publish-pending`
const Payload = JSON.stringify({ rotateKeys: { revoke: values.revoke } })
const answer = await new LambdaClient({}).send(new InvokeCommand({ FunctionName, Payload }))
const text = Buffer.from(answer.Payload ?? []).toString('utf8')
if (answer.FunctionError) throw new Error(`${FunctionName} failed: ${text}`)
console.log(`Access tokens are signed with the key ${(JSON.parse(text) as { kid: string }).kid}.`)
