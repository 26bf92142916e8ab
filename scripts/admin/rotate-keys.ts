/**
 * `npm run admin -- rotate-keys --stage prod`: signs access tokens with a new key. `--revoke` also invalidates every existing
 * token, for a leaked key or WHARF_SECRET.
 */
import { parseArgs } from 'node:util'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'

const { values } = parseArgs({
  options: { stage: { type: 'string', default: 'dev' }, revoke: { type: 'boolean', default: false } },
})
const FunctionName = `wharf-${values.stage}-publish-pending`
const Payload = JSON.stringify({ rotateKeys: { revoke: values.revoke } })
const response = await new LambdaClient({}).send(new InvokeCommand({ FunctionName, Payload }))
const text = Buffer.from(response.Payload ?? []).toString('utf8')
if (response.FunctionError) throw new Error(`${FunctionName} failed: ${text}`)
console.log(`Access tokens are now signed with the key ${(JSON.parse(text) as { kid: string }).kid}.`)
