/** Fault injection: faults happen as in AWS, as often as requested, and identically for the same seed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient, GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, ListEventBusesCommand } from '@aws-sdk/client-eventbridge'
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda'
import { HeadBucketCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientConfig } from '../../../test/support/conformance.ts'
import { callCloud, getCredentials } from '../../../test/support/signed-request.ts'
import { CannotStartError, type Cloud, startCloud } from '../src/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-faults-'))
let cloud: Cloud
beforeAll(async () => {
  cloud = await startCloud({ dataDir: folder, cloudPort: 0, apiPort: 0 })
}, 60_000)
afterAll(async () => {
  await cloud.close()
  rmSync(folder, { recursive: true, force: true })
})

const clientWithoutRetries = () => clientConfig(cloud.endpoint, getCredentials(cloud.environment))
const setPlan = (plan: string) => callCloud(cloud.environment, '/_aws/faults', plan)
const getStats = async (): Promise<Record<string, object>> =>
  (await callCloud(cloud.environment, '/_aws/faults')).services
const catchErrorName = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.name,
  )
const TableName = 'wharf-dev-table'
const item = (id: string) => ({ pk: { S: id }, sk: { S: '-' } })

describe('a fault plan', () => {
  it('is rejected with all its problems, and nothing starts', async () => {
    const faults = 'dynamodb:throttle=1.5,slow=1;s4:error=0.1;latency=20;s3:error=0.6,lost=0.6;seed'
    const failed = startCloud({ dataDir: join(folder, 'other'), cloudPort: 0, apiPort: 0, faults })
    await expect(failed).rejects.toThrow(CannotStartError)
    const message = await failed.catch((error: Error) => error.message)
    for (const part of ['dynamodb.throttle', 'slow', 's4', 'latency', 'must not add up to more than 1', '"seed"'])
      expect(message).toContain(part)
  })

  it('is rejected the same way when sent to a running cloud, and the previous plan stays active', async () => {
    await setPlan('s3:error=1')
    await expect(setPlan('s3:error=2')).rejects.toThrow(/: 400 /)
    expect(
      await catchErrorName(
        new S3Client({ ...clientWithoutRetries(), forcePathStyle: true }).send(new ListBucketsCommand()),
      ),
    ).toBe('InternalError')
    await setPlan('')
  })
})

describe('an injected fault', () => {
  it('returns the error of the real service', async () => {
    await setPlan('dynamodb:throttle=1;s3:throttle=1;eventbridge:throttle=1;lambda:throttle=1')
    const dynamo = new DynamoDBClient(clientWithoutRetries())
    const s3 = new S3Client({ ...clientWithoutRetries(), forcePathStyle: true })
    const transaction = new TransactWriteItemsCommand({
      TransactItems: ['a', 'b'].map((id) => ({ Put: { TableName, Item: item(id) } })),
    })
    expect(await catchErrorName(dynamo.send(new GetItemCommand({ TableName, Key: item('a') })))).toBe(
      'ProvisionedThroughputExceededException',
    )
    const cancelled = await dynamo.send(transaction).catch((error) => error)
    expect(cancelled.name).toBe('TransactionCanceledException')
    expect(cancelled.CancellationReasons.map(({ Code }: { Code: string }) => Code)).toEqual(['ThrottlingError', 'None'])
    expect(await catchErrorName(s3.send(new ListBucketsCommand()))).toBe('SlowDown')
    const head = await s3.send(new HeadBucketCommand({ Bucket: 'any' })).catch((error) => error)
    expect(head.$metadata.httpStatusCode).toBe(503)
    expect(await catchErrorName(new EventBridgeClient(clientWithoutRetries()).send(new ListEventBusesCommand()))).toBe(
      'ThrottlingException',
    )
    expect(await catchErrorName(new LambdaClient(clientWithoutRetries()).send(new ListFunctionsCommand()))).toBe(
      'TooManyRequestsException',
    )
    await setPlan('dynamodb:error=1;eventbridge:error=1;lambda:error=1')
    expect(await catchErrorName(dynamo.send(transaction))).toBe('InternalServerError')
    expect(await catchErrorName(new EventBridgeClient(clientWithoutRetries()).send(new ListEventBusesCommand()))).toBe(
      'InternalException',
    )
    expect(await catchErrorName(new LambdaClient(clientWithoutRetries()).send(new ListFunctionsCommand()))).toBe(
      'ServiceException',
    )
    await setPlan('')
    expect((await dynamo.send(new GetItemCommand({ TableName, Key: item('a') }))).Item).toBeUndefined()
  })

  it('performs the work when only the response is lost', async () => {
    const dynamo = new DynamoDBClient(clientWithoutRetries())
    await setPlan('dynamodb:lost=1')
    expect(await catchErrorName(dynamo.send(new PutItemCommand({ TableName, Item: item('lost') })))).not.toBe('done')
    await setPlan('')
    expect((await dynamo.send(new GetItemCommand({ TableName, Key: item('lost') }))).Item).toEqual(item('lost'))
  })

  it('occurs as often as requested, at the same points for the same seed', async () => {
    const dynamo = new DynamoDBClient(clientWithoutRetries())
    const run = async (seed: number) => {
      await setPlan(`dynamodb:throttle=0.3;seed=${seed}`)
      const names: string[] = []
      for (let request = 0; request < 400; request++)
        names.push(await catchErrorName(dynamo.send(new GetItemCommand({ TableName, Key: item('x') }))))
      return names
    }
    const first = await run(7)
    const part = first.filter((name) => name !== 'done').length / first.length
    expect(part).toBeGreaterThan(0.23)
    expect(part).toBeLessThan(0.37)
    expect((await getStats()).dynamodb).toMatchObject({ requests: 400, throttled: part * 400, tries: { 1: 400 } })
    expect(await run(7)).toEqual(first)
    expect(await run(8)).not.toEqual(first)
    await setPlan('')
  })

  it('delays each request when it is a latency', async () => {
    const dynamo = new DynamoDBClient(clientWithoutRetries())
    await setPlan('latency=60ms-80ms')
    const began = performance.now()
    for (let request = 0; request < 3; request++) await dynamo.send(new GetItemCommand({ TableName, Key: item('x') }))
    expect(performance.now() - began).toBeGreaterThan(175)
    await setPlan('')
  })
})
