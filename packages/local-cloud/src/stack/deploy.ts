import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import {
  CreateEventBusCommand,
  DeleteRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  ResourceAlreadyExistsException,
} from '@aws-sdk/client-eventbridge'
import { AddPermissionCommand, LambdaClient, ResourceConflictException } from '@aws-sdk/client-lambda'
import { CreateBucketCommand, HeadBucketCommand, NotFound, S3Client } from '@aws-sdk/client-s3'
import { ACCOUNT_ID, REGION } from '../service.ts'
import type { Stack, StackRule, StackTable } from '../stack.ts'

export interface ClientConfig {
  endpoint: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string }
}

const TABLE_READY_SECONDS = 10

export async function deployResources(stack: Stack, config: ClientConfig): Promise<void> {
  const dynamodb = new DynamoDBClient(config)
  const s3 = new S3Client({ ...config, forcePathStyle: true })
  const events = new EventBridgeClient(config)
  try {
    await Promise.all([
      ...stack.tables.map((table) => ensureTable(dynamodb, table)),
      ...stack.bucketNames.map((name) => ensureBucket(s3, name)),
      ...stack.busNames.map((name) => ensureBus(events, name)),
    ])
  } finally {
    for (const client of [dynamodb, s3, events]) client.destroy()
  }
}

/** Also removes rules of an earlier version. The functions and buses must exist. */
export async function deployRules(stack: Stack, config: ClientConfig): Promise<void> {
  const events = new EventBridgeClient(config)
  const lambda = new LambdaClient(config)
  const functionRules = stack.functions.flatMap(({ name, rules }) =>
    rules.map((rule) => ({ functionName: name, rule })),
  )
  const currentNames = new Set(functionRules.map(({ rule }) => rule.name))
  try {
    await Promise.all([
      ...functionRules.map(({ functionName, rule }) => putRule(events, lambda, functionName, rule)),
      ...['default', ...stack.busNames].map((bus) => removeStaleRules(events, bus, `${stack.name}.`, currentNames)),
    ])
  } finally {
    events.destroy()
    lambda.destroy()
  }
}

async function ensureTable(client: DynamoDBClient, { name, properties, expiryAttribute }: StackTable): Promise<void> {
  const { PointInTimeRecoverySpecification: _backups, ...schema } = properties
  const existing = await describeTable(client, name)
  if (existing) assertSameIndexes(name, existing, schema)
  else {
    await client.send(new CreateTableCommand({ ...schema, TableName: name } as CreateTableCommandInput))
    await waitUntilTableExists(
      { client, maxWaitTime: TABLE_READY_SECONDS, minDelay: 0.02, maxDelay: 0.2 },
      { TableName: name },
    )
  }
  if (expiryAttribute) await ensureExpiry(client, name, expiryAttribute)
}

async function describeTable(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  }
}

/** Rejects an outdated data folder instead of using tables with the wrong indexes. */
function assertSameIndexes(name: string, existing: TableDescription, schema: Record<string, unknown>): void {
  const joinIndexNames = (indexes: unknown) =>
    ((indexes as { IndexName: string }[] | undefined) ?? [])
      .map((index) => index.IndexName)
      .sort()
      .join(', ')
  const existingNames = joinIndexNames(existing.GlobalSecondaryIndexes)
  const declaredNames = joinIndexNames(schema.GlobalSecondaryIndexes)
  if (existingNames === declaredNames) return
  throw new Error(
    `The table ${name} in the data folder has the indexes ${existingNames}, but serverless.yml declares ${declaredNames}. Move the data folder away.`,
  )
}

async function ensureExpiry(client: DynamoDBClient, name: string, attribute: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }))
  if (TimeToLiveDescription?.AttributeName === attribute) return
  const TimeToLiveSpecification = { AttributeName: attribute, Enabled: true }
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }))
}

async function ensureBucket(client: S3Client, name: string): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: name }))
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    await client.send(new CreateBucketCommand({ Bucket: name }))
  }
}

async function ensureBus(client: EventBridgeClient, name: string): Promise<void> {
  try {
    await client.send(new CreateEventBusCommand({ Name: name }))
  } catch (error) {
    if (!(error instanceof ResourceAlreadyExistsException)) throw error
  }
}

async function putRule(
  events: EventBridgeClient,
  lambda: LambdaClient,
  functionName: string,
  rule: StackRule,
): Promise<void> {
  const { RuleArn } = await events.send(
    new PutRuleCommand({
      Name: rule.name,
      EventBusName: rule.busName,
      EventPattern: rule.pattern && JSON.stringify(rule.pattern),
      ScheduleExpression: rule.schedule,
    }),
  )
  await allowInvocation(lambda, functionName, rule.name, RuleArn!)
  const target = {
    Id: functionName,
    Arn: `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:${functionName}`,
    Input: rule.input === undefined ? undefined : JSON.stringify(rule.input),
    InputTransformer: rule.inputTransformer && {
      InputTemplate: rule.inputTransformer.inputTemplate,
      InputPathsMap: rule.inputTransformer.inputPathsMap,
    },
    RetryPolicy: rule.retryPolicy,
    DeadLetterConfig: rule.deadLetterArn ? { Arn: rule.deadLetterArn } : undefined,
  }
  await events.send(new PutTargetsCommand({ Rule: rule.name, EventBusName: rule.busName, Targets: [target] }))
}

async function allowInvocation(
  client: LambdaClient,
  FunctionName: string,
  ruleName: string,
  SourceArn: string,
): Promise<void> {
  const StatementId = ruleName.replaceAll('.', '-')
  const Principal = 'events.amazonaws.com'
  try {
    await client.send(
      new AddPermissionCommand({ FunctionName, StatementId, Action: 'lambda:InvokeFunction', Principal, SourceArn }),
    )
  } catch (error) {
    if (!(error instanceof ResourceConflictException)) throw error
  }
}

async function removeStaleRules(
  client: EventBridgeClient,
  bus: string,
  prefix: string,
  currentNames: Set<string>,
): Promise<void> {
  const { Rules = [] } = await client.send(new ListRulesCommand({ EventBusName: bus, NamePrefix: prefix }))
  for (const { Name } of Rules.filter((rule) => !currentNames.has(rule.Name!))) {
    const rule = { Rule: Name, EventBusName: bus }
    const { Targets = [] } = await client.send(new ListTargetsByRuleCommand(rule))
    if (Targets.length > 0) await client.send(new RemoveTargetsCommand({ ...rule, Ids: Targets.map(({ Id }) => Id!) }))
    await client.send(new DeleteRuleCommand({ Name, EventBusName: bus }))
  }
}
