/** Lambda through the AWS SDK, against any cloud (`CLOUD=http://...`). */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AddPermissionCommand,
  CreateFunctionCommand,
  type CreateFunctionCommandInput,
  DeleteFunctionCommand,
  GetFunctionCommand,
  GetFunctionConfigurationCommand,
  InvokeCommand,
  type InvokeCommandInput,
  LambdaClient,
  ListFunctionsCommand,
  PutFunctionEventInvokeConfigCommand,
  RemovePermissionCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda'
import { strToU8 } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import { clientConfig, conformanceTarget } from '../../../test/support/conformance.ts'
import { startLambda } from '../src/lambda/index.ts'
import { errorNamed, functionInput, poll, startHook, waitUntilActive, zip } from './lambda-kit.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'wharf-lambda-'))
const { hookUrl, posted } = await startHook()
const target = await conformanceTarget(() => startLambda({ dataDir }))
const client = new LambdaClient(clientConfig(target.endpoint))
afterAll(async () => {
  client.destroy()
  await target.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const agent = (tag: string) => `
  export const handler = async (event, context) => {
    if (event.boom) throw new TypeError('boom')
    await fetch(process.env.HOOK, { method: 'POST', body: JSON.stringify({ tag: '${tag}', event }) })
    return { tag: '${tag}', event, requestId: context.awsRequestId, remaining: context.getRemainingTimeInMillis() }
  }`

async function create(input: Partial<CreateFunctionCommandInput> = {}): Promise<string> {
  const FunctionName = `f-${randomUUID()}`
  const settings = { Runtime: 'nodejs22.x' as const, Timeout: 10, Environment: { Variables: { HOOK: hookUrl } } }
  const command = functionInput(FunctionName, agent(FunctionName), { ...settings, ...input })
  await client.send(new CreateFunctionCommand(command))
  await waitUntilActive(client, FunctionName)
  return FunctionName
}

async function invoke(FunctionName: string, payload?: unknown, options: Partial<InvokeCommandInput> = {}) {
  const Payload = payload === undefined ? undefined : JSON.stringify(payload)
  const { Payload: bytes, ...answer } = await client.send(new InvokeCommand({ FunctionName, Payload, ...options }))
  const text = Buffer.from(bytes ?? []).toString()
  return { ...answer, body: text ? JSON.parse(text) : undefined }
}

const getArn = async (FunctionName: string) =>
  (await client.send(new GetFunctionConfigurationCommand({ FunctionName }))).FunctionArn!

describe('functions', () => {
  it('describes a function as it was created', async () => {
    const name = await create({ Description: 'an agent', MemorySize: 256 })
    const { Configuration } = await client.send(new GetFunctionCommand({ FunctionName: name }))
    expect(Configuration).toMatchObject({
      FunctionName: name,
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Description: 'an agent',
      MemorySize: 256,
      Timeout: 10,
      State: 'Active',
      LastUpdateStatus: 'Successful',
      Version: '$LATEST',
      Environment: { Variables: { HOOK: hookUrl } },
    })
    expect(Configuration?.CodeSha256).toHaveLength(44)
  })

  it('rejects a second function with the same name', async () => {
    const name = await create()
    await expect(create({ FunctionName: name })).rejects.toThrow(errorNamed('ResourceConflictException'))
  })

  it('rejects an invalid zip, an unknown runtime and a timeout out of range', async () => {
    const broken = { ZipFile: strToU8('not a zip') }
    await expect(create({ Code: broken })).rejects.toThrow(errorNamed('InvalidParameterValueException'))
    await expect(create({ Runtime: 'cobol1.x' as 'nodejs22.x' })).rejects.toThrow(
      errorNamed('InvalidParameterValueException'),
    )
    await expect(create({ Timeout: 901 })).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  })

  it('lists functions in pages', async () => {
    const names = [await create(), await create()]
    const found: (string | undefined)[] = []
    let Marker: string | undefined
    do {
      const page = await client.send(new ListFunctionsCommand({ MaxItems: 1, Marker }))
      found.push(...(page.Functions ?? []).map(({ FunctionName }) => FunctionName))
      Marker = page.NextMarker
    } while (Marker)
    expect(found).toEqual(expect.arrayContaining(names))
    expect(new Set(found).size).toBe(found.length)
  })

  it('runs new code after an update', async () => {
    const name = await create()
    const before = await client.send(new GetFunctionConfigurationCommand({ FunctionName: name }))
    expect((await invoke(name, {})).body.tag).toBe(name)
    await client.send(new UpdateFunctionCodeCommand({ FunctionName: name, ZipFile: zip(agent('second')) }))
    await waitUntilFunctionUpdatedV2({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { FunctionName: name })
    expect((await invoke(name, {})).body.tag).toBe('second')
    const after = await client.send(new GetFunctionConfigurationCommand({ FunctionName: name }))
    expect(after.CodeSha256).not.toBe(before.CodeSha256)
  })

  it('runs with new variables after an update and keeps the other settings', async () => {
    const source = 'export const handler = async () => process.env.COLOUR'
    const name = await create({ Code: { ZipFile: zip(source) }, Environment: { Variables: { COLOUR: 'red' } } })
    expect((await invoke(name, {})).body).toBe('red')
    const Environment = { Variables: { COLOUR: 'blue' } }
    await client.send(new UpdateFunctionConfigurationCommand({ FunctionName: name, Environment }))
    await waitUntilFunctionUpdatedV2({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { FunctionName: name })
    expect((await invoke(name, {})).body).toBe('blue')
    const after = await client.send(new GetFunctionConfigurationCommand({ FunctionName: name }))
    expect(after).toMatchObject({ Handler: 'index.handler', Timeout: 10, Environment })
  })

  it('removes a deleted function', async () => {
    const name = await create()
    await client.send(new DeleteFunctionCommand({ FunctionName: name }))
    await expect(invoke(name, {})).rejects.toThrow(errorNamed('ResourceNotFoundException'))
    await expect(client.send(new DeleteFunctionCommand({ FunctionName: name }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      $metadata: { httpStatusCode: 404 },
    })
  })

  it.skipIf(process.env.CLOUD)('rejects settings that it does not have', async () => {
    await expect(create({ Tags: { owner: 'me' } })).rejects.toThrow(/Unrecognized key: "Tags"/)
    await expect(create({ Publish: true })).rejects.toThrow(/Unrecognized key: "Publish"/)
    const name = await create()
    const code = { FunctionName: name, ZipFile: zip(agent('second')), DryRun: true }
    await expect(client.send(new UpdateFunctionCodeCommand(code))).rejects.toThrow(/Unrecognized key: "DryRun"/)
    expect((await invoke(name, {})).body.tag).toBe(name)
  })
})

describe('Invoke', () => {
  it('returns the result of the function, by name and by ARN', async () => {
    const name = await create()
    const answer = await invoke(name, { n: 1 })
    expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST', body: { tag: name, event: { n: 1 } } })
    expect(answer.FunctionError).toBeUndefined()
    expect(answer.body.remaining).toBeGreaterThan(5_000)
    expect((await invoke(await getArn(name), { n: 2 })).body.event).toEqual({ n: 2 })
    expect((await invoke(name, { n: 3 }, { Qualifier: '$LATEST' })).body.event).toEqual({ n: 3 })
    await expect(invoke(name, {}, { Qualifier: 'prod' })).rejects.toThrow(errorNamed('ResourceNotFoundException'))
  })

  it('runs CommonJS handlers', async () => {
    const source = 'exports.handler = async (event) => ({ path: require("node:path").join("a", event.b) })'
    const name = await create({ Code: { ZipFile: zip(source, 'index.js') } })
    expect((await invoke(name, { b: 'c' })).body).toEqual({ path: 'a/c' })
  })

  it('reports a thrown error as an unhandled function error', async () => {
    const name = await create()
    const { FunctionError, StatusCode, body } = await invoke(name, { boom: true })
    expect({ FunctionError, StatusCode }).toEqual({ FunctionError: 'Unhandled', StatusCode: 200 })
    expect(body).toMatchObject({ errorType: 'TypeError', errorMessage: 'boom' })
    expect(body.trace).toEqual(expect.any(Array))
  })

  it('stops a function at its timeout and continues with the next call', async () => {
    const source = 'export const handler = (event) => (event.hang ? new Promise(() => setInterval(() => {}, 1000)) : 1)'
    const name = await create({ Timeout: 1, Code: { ZipFile: zip(source) } })
    const { FunctionError, body } = await invoke(name, { hang: true })
    expect(FunctionError).toBe('Unhandled')
    expect(body.errorMessage).toMatch(/Task timed out after 1\.00 seconds/)
    expect((await invoke(name, {})).FunctionError).toBeUndefined()
  })

  it('returns the end of the log on request', async () => {
    const source = 'export const handler = async () => { console.log("a line of its own") }'
    const name = await create({ Code: { ZipFile: zip(source) } })
    const { LogResult } = await invoke(name, {}, { LogType: 'Tail' })
    const log = Buffer.from(LogResult!, 'base64').toString()
    expect(log).toMatch(/START RequestId: .*\n[\s\S]*a line of its own[\s\S]*END RequestId: .*\nREPORT/)
    expect((await invoke(name, {})).LogResult).toBeUndefined()
  })

  it('runs an event asynchronously', async () => {
    const name = await create()
    expect(await invoke(name, { later: 1 }, { InvocationType: 'Event' })).toMatchObject({ StatusCode: 202 })
    await poll(() => posted.filter(({ tag }) => tag === name)).toEqual([{ tag: name, event: { later: 1 } }])
  })

  it('rejects payloads over the limits: 6 MB synchronous, 1 MB asynchronous', async () => {
    const name = await create({ Code: { ZipFile: zip('export const handler = async (event) => event.text.length') } })
    const payload = (bytes: number) => ({ text: 'x'.repeat(bytes) })
    expect((await invoke(name, payload(5 * 1024 * 1024))).body).toBe(5 * 1024 * 1024)
    await expect(invoke(name, payload(7 * 1024 * 1024))).rejects.toMatchObject({ $metadata: { httpStatusCode: 413 } })
    await expect(invoke(name, payload(1100 * 1024), { InvocationType: 'Event' })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 413 },
    })
  })
})

describe('function settings', () => {
  it('stores permissions as policy statements', async () => {
    const name = await create()
    const SourceArn = 'arn:aws:events:us-east-1:000000000000:rule/r'
    const permission = new AddPermissionCommand({
      FunctionName: name,
      StatementId: 's1',
      Action: 'lambda:InvokeFunction',
      Principal: 'events.amazonaws.com',
      SourceArn,
    })
    const { Statement } = await client.send(permission)
    expect(JSON.parse(Statement!)).toMatchObject({
      Sid: 's1',
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'lambda:InvokeFunction',
      Condition: { ArnLike: { 'AWS:SourceArn': SourceArn } },
    })
    await expect(client.send(permission)).rejects.toThrow(errorNamed('ResourceConflictException'))
    const removal = new RemovePermissionCommand({ FunctionName: name, StatementId: 's1' })
    await client.send(removal)
    await expect(client.send(removal)).rejects.toThrow(errorNamed('ResourceNotFoundException'))
  })

  it('notifies the destination of a failed and of a successful event', async () => {
    const [name, witness] = [await create(), await create()]
    const Destination = await getArn(witness)
    const DestinationConfig = { OnFailure: { Destination }, OnSuccess: { Destination } }
    const config = { FunctionName: name, MaximumRetryAttempts: 0, DestinationConfig }
    await client.send(new PutFunctionEventInvokeConfigCommand(config))
    await invoke(name, { boom: true }, { InvocationType: 'Event' })
    await invoke(name, { fine: true }, { InvocationType: 'Event' })
    const getDelivered = () => posted.filter(({ tag }) => tag === witness).map(({ event }) => event)
    await poll(() => getDelivered().length).toBe(2)
    expect(getDelivered()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          version: '1.0',
          requestContext: expect.objectContaining({ condition: 'RetriesExhausted', approximateInvokeCount: 1 }),
          requestPayload: { boom: true },
          responseContext: expect.objectContaining({ statusCode: 200, functionError: 'Unhandled' }),
          responsePayload: expect.objectContaining({ errorMessage: 'boom' }),
        }),
        expect.objectContaining({
          requestContext: expect.objectContaining({
            condition: 'Success',
            functionArn: `${await getArn(name)}:$LATEST`,
          }),
          requestPayload: { fine: true },
          responseContext: { statusCode: 200, executedVersion: '$LATEST' },
          responsePayload: expect.objectContaining({ tag: name }),
        }),
      ]),
    )
  })
})
