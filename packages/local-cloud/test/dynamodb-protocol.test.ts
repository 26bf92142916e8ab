/** The HTTP protocol of the embedded DynamoDB, below the SDK. */
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conformanceTarget, type Target } from '../../../test/support/conformance.ts'
import { startDynamodb } from '../src/dynamodb/index.ts'

describe.skipIf(process.env.CLOUD)('the DynamoDB protocol', () => {
  let target: Target
  beforeAll(async () => {
    target = await conformanceTarget(() => startDynamodb({}))
  })
  afterAll(() => target.close())

  const send = (operation: string, body: string) =>
    fetch(target.endpoint, { method: 'POST', headers: { 'x-amz-target': operation }, body })

  it('returns JSON with a checksum and a request id', async () => {
    const response = await send('DynamoDB_20120810.ListTables', '{}')
    const body = await response.text()
    expect(response.status).toBe(200)
    expect(JSON.parse(body)).toEqual({ TableNames: [] })
    expect(response.headers.get('content-type')).toBe('application/x-amz-json-1.0')
    expect(Number(response.headers.get('x-amz-crc32'))).toBe(crc32(body))
    expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/)
  })

  const refused: [string, string, string, string][] = [
    ['an unknown operation', 'DynamoDB_20120810.ExecuteStatement', '{}', 'UnknownOperationException'],
    ['another service', 'DynamoDBStreams_20120810.ListStreams', '{}', 'UnknownOperationException'],
    ['a method of every object', 'DynamoDB_20120810.toString', '{}', 'UnknownOperationException'],
    ['what is not JSON', 'DynamoDB_20120810.ListTables', '{', 'SerializationException'],
    ['what is no object', 'DynamoDB_20120810.ListTables', '[]', 'SerializationException'],
    ['a field of the wrong type', 'DynamoDB_20120810.ListTables', '{"Limit":"2"}', 'SerializationException'],
    ['a field that is missing', 'DynamoDB_20120810.GetItem', '{}', 'ValidationException'],
    ['a parameter older than expressions', 'DynamoDB_20120810.PutItem', '{"Expected":{}}', 'ValidationException'],
    [
      'consumed capacity by index',
      'DynamoDB_20120810.GetItem',
      '{"ReturnConsumedCapacity":"INDEXES"}',
      'ValidationException',
    ],
    [
      'a transaction of nothing',
      'DynamoDB_20120810.TransactWriteItems',
      '{"TransactItems":[null]}',
      'ValidationException',
    ],
  ]
  it.each(refused)('rejects %s', async (_what, operation, body, type) => {
    const response = await send(operation, body)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { __type: string }).__type).toMatch(new RegExp(`#${type}$`))
  })

  it('accepts bodies up to 20 MB', async () => {
    const padded = (megabytes: number) => `{"Padding":"${'x'.repeat(megabytes * 1024 * 1024)}"}`
    expect((await send('DynamoDB_20120810.ListTables', padded(19))).status).toBe(200)
    expect((await send('DynamoDB_20120810.ListTables', padded(20))).status).toBe(413)
  })
})
