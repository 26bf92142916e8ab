/** Deploys the data resources of the CloudFormation template. Runs only against other clouds. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation'
import { DescribeTableCommand, DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DescribeEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { GetBucketCorsCommand, GetBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../../../test/support/api.ts'
import { createProject, packageProject, type Resources, ROOT } from '../../../test/support/build-package.ts'
import { clientConfig } from '../../../test/support/conformance.ts'

const endpoint = process.env.CLOUD
const HAS_DYNAMODB = process.env.CLOUD_DYNAMODB !== 'off'
const StackName = `wharf-data-${process.pid}`
const KEPT = ['Bucket', 'BucketPolicy', 'EventBus', 'DeadLetters', 'SealingKey', ...(HAS_DYNAMODB ? ['Table'] : [])]

describe.skipIf(!endpoint)('data resources of the stack', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'wharf-cloudformation-'))
  const config = { ...clientConfig(endpoint!), forcePathStyle: true }
  const stacks = new CloudFormationClient(config)
  let names: Record<string, string>

  beforeAll(async () => {
    const root = createProject(join(scratch, 'stack'), readFileSync(join(ROOT, 'functions/http.yml'), 'utf8'))
    const all = await packageProject(root)
    const Resources: Resources = Object.fromEntries(
      KEPT.map((id) => [id, { ...all[id]!, DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' }]),
    )
    await stacks.send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify({ Resources }) }))
    const status = await waitUntil(async () => {
      const { Stacks } = await stacks.send(new DescribeStacksCommand({ StackName }))
      const current = Stacks![0]!.StackStatus!
      return current.endsWith('_IN_PROGRESS') ? undefined : current
    }, 60)
    expect(status).toBe('CREATE_COMPLETE')
    const { StackResources } = await stacks.send(new DescribeStackResourcesCommand({ StackName }))
    names = Object.fromEntries(StackResources!.map((each) => [each.LogicalResourceId!, each.PhysicalResourceId!]))
  }, 120_000)
  afterAll(async () => {
    await stacks.send(new DeleteStackCommand({ StackName })).catch(() => {})
    rmSync(scratch, { recursive: true, force: true })
  })

  it('deploys all resources', () => {
    expect(Object.keys(names).toSorted()).toEqual(KEPT.toSorted())
  })

  it.skipIf(!HAS_DYNAMODB)('creates an on-demand table with indexes and TTL', async () => {
    const tables = new DynamoDBClient(config)
    const { Table } = await tables.send(new DescribeTableCommand({ TableName: names.Table }))
    expect(Table!.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST')
    expect(Table!.GlobalSecondaryIndexes!.map(({ IndexName }) => IndexName).toSorted()).toEqual([
      'gsi1',
      'gsi2',
      'pending',
    ])
    const { TimeToLiveDescription } = await tables.send(new DescribeTimeToLiveCommand({ TableName: names.Table }))
    expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'expires', TimeToLiveStatus: 'ENABLED' })
  })

  it('creates a bucket with CORS that rejects requests without TLS', async () => {
    const s3 = new S3Client(config)
    const { CORSRules } = await s3.send(new GetBucketCorsCommand({ Bucket: names.Bucket }))
    expect(CORSRules![0]!.AllowedMethods!.toSorted()).toEqual(['GET', 'HEAD', 'POST', 'PUT'])
    const { Policy } = await s3.send(new GetBucketPolicyCommand({ Bucket: names.Bucket }))
    expect(Policy).toContain('aws:SecureTransport')
  })

  it('creates a bus and an encryption key', async () => {
    const { Arn } = await new EventBridgeClient(config).send(new DescribeEventBusCommand({ Name: names.EventBus }))
    expect(Arn).toContain(':event-bus/wharf-dev')
    const { KeyMetadata } = await new KMSClient(config).send(new DescribeKeyCommand({ KeyId: names.SealingKey }))
    expect(KeyMetadata!.Enabled).toBe(true)
  })
})
