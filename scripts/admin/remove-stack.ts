/**
 * `npm run admin -- remove-stack --stage dev`: removes a deployment. Agents' rules and functions go first: CloudFormation
 * does not know them, and a bus with rules cannot be deleted. `--with-data` also deletes table and bucket, for good.
 */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  DeleteRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import {
  DeleteFunctionCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListFunctionsCommand,
} from '@aws-sdk/client-lambda'
import { DeleteBucketCommand, DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3'

const { values } = parseArgs({
  options: {
    stage: { type: 'string' },
    region: { type: 'string', default: process.env.AWS_REGION ?? 'us-east-1' },
    'with-data': { type: 'boolean', default: false },
  },
})
const { stage, region } = values
if (!stage) throw new Error('Name the stage: --stage dev')
const lambda = new LambdaClient({ region })
const bus = new EventBridgeClient({ region })

async function readVariables(): Promise<Record<string, string>> {
  const FunctionName = `wharf-${stage}-create-account`
  return (await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))).Environment?.Variables ?? {}
}

async function removeRules(EventBusName: string, NamePrefix: string): Promise<number> {
  let removed = 0
  for (;;) {
    const { Rules = [] } = await bus.send(new ListRulesCommand({ EventBusName, NamePrefix }))
    for (const { Name: Rule } of Rules) {
      const { Targets = [] } = await bus.send(new ListTargetsByRuleCommand({ EventBusName, Rule }))
      const Ids = Targets.map(({ Id }) => Id!)
      if (Ids.length > 0) await bus.send(new RemoveTargetsCommand({ EventBusName, Rule, Ids }))
      await bus.send(new DeleteRuleCommand({ EventBusName, Name: Rule }))
      removed++
    }
    if (Rules.length === 0) return removed
  }
}

async function removeFunctions(prefix: string): Promise<number> {
  const names: string[] = []
  let Marker: string | undefined
  do {
    const page = await lambda.send(new ListFunctionsCommand({ Marker }))
    names.push(...(page.Functions ?? []).map(({ FunctionName = '' }) => FunctionName))
    Marker = page.NextMarker
  } while (Marker)
  const agentFunctions = names.filter((name) => name.startsWith(prefix))
  for (const FunctionName of agentFunctions) await lambda.send(new DeleteFunctionCommand({ FunctionName }))
  return agentFunctions.length
}

async function removeBucket(Bucket: string): Promise<void> {
  const s3 = new S3Client({ region, forcePathStyle: Boolean(process.env.AWS_ENDPOINT_URL) })
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }))
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }))
    if (Objects.length === 0) break
    await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
  }
  await s3.send(new DeleteBucketCommand({ Bucket }))
}

const { TABLE_NAME, BUCKET_NAME, BUS_NAME, FUNCTION_PREFIX } = await readVariables()
const rules = await removeRules(BUS_NAME!, FUNCTION_PREFIX!)
const functions = await removeFunctions(FUNCTION_PREFIX!)
console.log(`Removed ${functions} agent functions and ${rules} rules.`)
const serverless = createRequire(import.meta.url).resolve('osls/bin/serverless.js')
execFileSync(process.execPath, [serverless, 'remove', '--stage', stage, '--region', region], { stdio: 'inherit' })
if (values['with-data']) {
  await new DynamoDBClient({ region }).send(new DeleteTableCommand({ TableName: TABLE_NAME }))
  await removeBucket(BUCKET_NAME!)
  console.log(`Deleted the table ${TABLE_NAME} and the bucket ${BUCKET_NAME}.`)
} else console.log(`The table ${TABLE_NAME} and the bucket ${BUCKET_NAME} were not deleted.`)
console.log("The deployment's secret, if the stack created one, remains in Secrets Manager.")
