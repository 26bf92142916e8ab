/** Asynchronous invocations of the embedded Lambda: retries, destinations, dead letters and restarts. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AddPermissionCommand,
  CreateFunctionCommand,
  DeleteFunctionCommand,
  GetFunctionCommand,
  LambdaClient,
  PutFunctionEventInvokeConfigCommand,
  type PutFunctionEventInvokeConfigCommandInput,
} from '@aws-sdk/client-lambda'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientConfig, conformanceTarget } from '../../../test/support/conformance.ts'
import { type LambdaService, startLambda } from '../src/lambda/index.ts'
import { functionInput } from './lambda-kit.ts'

const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`

const source = { principal: 'events.amazonaws.com', sourceArn: 'arn:aws:events:us-east-1:000000000000:rule/r' }

describe.skipIf(process.env.CLOUD)('asynchronous invocations', () => {
  let dataDir: string
  let service: LambdaService
  let log: string[]

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'wharf-async-'))
    service = await openService()
  })

  afterEach(async () => {
    await service.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  function openService(retryDelaySeconds: [number, number] = [0.02, 0.04]): Promise<LambdaService> {
    log = []
    return startLambda({ dataDir, retryDelaySeconds, onLog: (line) => log.push(line) })
  }

  async function reopenService(retryDelaySeconds?: [number, number]): Promise<void> {
    await service.close()
    service = await openService(retryDelaySeconds)
  }

  function registerRecorder(name: string, fails: (attempt: number) => boolean = () => false) {
    const calls: { event: unknown; requestId: string }[] = []
    service.registerPlatformFunction(name, async (event, context) => {
      calls.push({ event, requestId: context.awsRequestId })
      if (fails(calls.length)) throw new Error(`attempt ${calls.length}`)
      return { attempt: calls.length }
    })
    return calls
  }

  async function withClient<T>(work: (client: LambdaClient) => Promise<T>): Promise<T> {
    const target = await conformanceTarget(() => ({ handle: service.handle, close: async () => {} }))
    const client = new LambdaClient(clientConfig(target.endpoint))
    try {
      return await work(client)
    } finally {
      client.destroy()
      await target.close()
    }
  }

  const configure = (input: PutFunctionEventInvokeConfigCommandInput) =>
    withClient((client) => client.send(new PutFunctionEventInvokeConfigCommand(input)))

  const createFunction = (FunctionName: string, code: string) =>
    withClient((client) => client.send(new CreateFunctionCommand(functionInput(FunctionName, code))))

  it('run once on success', async () => {
    const calls = registerRecorder('worker')
    await service.invokeAsync('worker', { n: 1 })
    expect(calls).toEqual([])
    await service.idle()
    expect(calls).toEqual([{ event: { n: 1 }, requestId: expect.any(String) }])
  })

  it('are tried three times under one request id, then dropped with a log line', async () => {
    const calls = registerRecorder('worker', () => true)
    await service.invokeAsync(arn('worker'), {})
    await service.idle()
    expect(calls).toHaveLength(3)
    expect(new Set(calls.map(({ requestId }) => requestId)).size).toBe(1)
    expect(log).toEqual([expect.stringMatching(/\[worker\] invocation .* given up \(RetriesExhausted\).*attempt 3/)])
  })

  it('are not retried after a success', async () => {
    const calls = registerRecorder('worker', (attempt) => attempt === 1)
    await service.invokeAsync('worker', {})
    await service.idle()
    expect(calls).toHaveLength(2)
    expect(log).toEqual([])
  })

  it.each([
    [0, 1],
    [1, 2],
    [185, 3],
  ])('with %i configured retries are attempted %i times', async (retries, attempts) => {
    const calls = registerRecorder('worker', () => true)
    await service.invokeAsync('worker', {}, { ...source, retries })
    await service.idle()
    expect(calls).toHaveLength(attempts)
  })

  it('notify the destination with the request and the response', async () => {
    registerRecorder('worker', (attempt) => attempt <= 3)
    const told = registerRecorder('witness')
    const destination = { Destination: arn('witness') }
    await configure({
      FunctionName: 'worker',
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnSuccess: destination, OnFailure: destination },
    })
    await service.invokeAsync('worker', { n: 1 }, { ...source, retries: 0, deadLetterArn: arn('nobody') })
    await service.idle()
    await service.invokeAsync('worker', { n: 2 })
    await service.idle()
    expect(told.map(({ event }) => event)).toEqual([
      {
        version: '1.0',
        timestamp: expect.any(String),
        requestContext: {
          requestId: expect.any(String),
          functionArn: `${arn('worker')}:$LATEST`,
          condition: 'RetriesExhausted',
          approximateInvokeCount: 3,
        },
        requestPayload: { n: 1 },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        responsePayload: { errorType: 'Error', errorMessage: 'attempt 3', trace: expect.any(Array) },
      },
      expect.objectContaining({
        requestContext: expect.objectContaining({ condition: 'Success', approximateInvokeCount: 1 }),
        responsePayload: { attempt: 4 },
      }),
    ])
  })

  it('without a destination go to the dead-letter function of their source', async () => {
    registerRecorder('worker', () => true)
    const letters = registerRecorder('letters')
    await service.invokeAsync('worker', { n: 1 }, { ...source, retries: 0, deadLetterArn: arn('letters') })
    await service.idle()
    expect(letters).toEqual([expect.objectContaining({ event: expect.objectContaining({ requestPayload: { n: 1 } }) })])
  })

  it('with a queue as dead-letter target are stored in a file', async () => {
    registerRecorder('worker', () => true)
    const deadLetterArn = 'arn:aws:sqs:us-east-1:000000000000:letters'
    await service.invokeAsync('worker', { n: 1 }, { ...source, retries: 0, deadLetterArn })
    await service.idle()
    const letter = JSON.parse(readFileSync(join(dataDir, 'lambda', 'dead-letters.jsonl'), 'utf8'))
    expect(letter).toMatchObject({ queue: deadLetterArn, body: '{"n":1}', attributes: { RULE_ARN: source.sourceArn } })
  })

  it('require the permission of a function created at run time, for exactly their source', async () => {
    await createFunction('agent', 'export const handler = async () => 1')
    const letters = registerRecorder('letters')
    const told = registerRecorder('told')
    const OnSuccess = { Destination: arn('told') }
    await configure({ FunctionName: 'agent', DestinationConfig: { OnSuccess } })
    const permitted = { ...source, deadLetterArn: arn('letters') }
    const permission = { Action: 'lambda:InvokeFunction', Principal: source.principal, SourceArn: source.sourceArn }
    const addPermission = (StatementId: string, more: object) =>
      withClient((client) =>
        client.send(new AddPermissionCommand({ FunctionName: 'agent', StatementId, ...permission, ...more })),
      )
    await addPermission('s1', { Principal: 's3.amazonaws.com' })
    await addPermission('s2', { SourceArn: `${source.sourceArn}x` })
    await addPermission('s3', { Action: 'lambda:GetFunction' })
    await service.invokeAsync('agent', { n: 1 }, permitted)
    await service.idle()
    expect(letters).toEqual([
      expect.objectContaining({
        event: expect.objectContaining({
          responseContext: expect.objectContaining({ statusCode: 403 }),
          requestContext: expect.objectContaining({ approximateInvokeCount: 0 }),
        }),
      }),
    ])
    await addPermission('s4', { SourceArn: `${source.sourceArn.slice(0, -1)}*` })
    await service.invokeAsync('agent', { n: 2 }, permitted)
    await service.idle()
    expect({ letters: letters.length, told: told.length }).toEqual({ letters: 1, told: 1 })
  })

  it('run no more concurrently than the function has slots', async () => {
    let running = 0
    let most = 0
    service.registerPlatformFunction('worker', async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
    })
    await Promise.all(Array.from({ length: 100 }, (_, n) => service.invokeAsync('worker', { n })))
    await service.idle()
    expect(most).toBe(16)
  })

  it('wait for the start when their function is missing, and then fail', async () => {
    const letters = registerRecorder('letters')
    const deadLetterArn = arn('letters')
    await service.invokeAsync('late', { n: 1 }, { ...source, deadLetterArn })
    await service.invokeAsync('never', { n: 2 }, { ...source, deadLetterArn })
    await service.idle()
    expect(letters).toEqual([])
    const late = registerRecorder('late')
    service.start()
    await service.idle()
    expect(late.map(({ event }) => event)).toEqual([{ n: 1 }])
    expect(letters).toEqual([
      expect.objectContaining({
        event: expect.objectContaining({
          requestPayload: { n: 2 },
          responseContext: expect.objectContaining({ statusCode: 404 }),
        }),
      }),
    ])
  })

  it('fail when their function was deleted', async () => {
    await createFunction('agent', 'export const handler = async () => 1')
    const letters = registerRecorder('letters')
    service.start()
    await withClient((client) => client.send(new DeleteFunctionCommand({ FunctionName: 'agent' })))
    await service.invokeAsync('agent', {}, { ...source, deadLetterArn: arn('letters') })
    await service.idle()
    expect(letters).toHaveLength(1)
  })

  it('survive a restart with their attempt count, even after a truncated line', async () => {
    await reopenService([60, 60])
    registerRecorder('worker', () => true)
    await service.invokeAsync('worker', { n: 1 }, source)
    await expect.poll(() => readFileSync(getJournalPath(), 'utf8')).toContain('"failed"')
    await service.close()
    appendFileSync(getJournalPath(), '{"accepted":{"invoc')
    service = await openService()
    const calls = registerRecorder('worker', () => true)
    await service.idle()
    expect(calls).toEqual([])
    service.start()
    await service.idle()
    expect(calls).toHaveLength(2)
  })

  it('leave nothing behind when they finish', async () => {
    registerRecorder('worker')
    for (let n = 0; n < 20; n++) await service.invokeAsync('worker', { n })
    await service.idle()
    await reopenService()
    expect(readFileSync(getJournalPath(), 'utf8')).toBe('')
    expect(existsSync(join(dataDir, 'lambda', 'dead-letters.jsonl'))).toBe(false)
  })

  it('keep the journal small', async () => {
    registerRecorder('worker')
    const payload = { text: 'x'.repeat(200_000) }
    for (let n = 0; n < 60; n++) {
      await service.invokeAsync('worker', payload)
      await service.idle()
    }
    expect(readFileSync(getJournalPath()).length).toBeLessThan(5 * 1024 * 1024)
  })

  it('find functions created at run time after a restart, with policy and event config', async () => {
    await createFunction('agent', 'export const handler = async () => "kept"')
    const permission = { Action: 'lambda:InvokeFunction', Principal: source.principal, SourceArn: source.sourceArn }
    await withClient((client) =>
      client.send(new AddPermissionCommand({ FunctionName: 'agent', StatementId: 's', ...permission })),
    )
    await configure({ FunctionName: 'agent', DestinationConfig: { OnSuccess: { Destination: arn('witness') } } })
    await reopenService()
    const told = registerRecorder('witness')
    expect(await service.invoke('agent', {})).toMatchObject({ payload: 'kept' })
    await service.invokeAsync('agent', {}, source)
    await service.idle()
    expect(told).toEqual([expect.objectContaining({ event: expect.objectContaining({ responsePayload: 'kept' }) })])
  })

  const getJournalPath = () => join(dataDir, 'lambda', 'invocations.jsonl')

  describe('functions of the platform', () => {
    it('get copies of payloads and a context, and report thrown errors', async () => {
      const given = { list: [1] }
      service.registerPlatformFunction('worker', async (event, context) => {
        ;(event as typeof given).list.push(2)
        if (context.getRemainingTimeInMillis() < 1000) throw new Error('no time')
        return { event, name: context.functionName, arn: context.invokedFunctionArn }
      })
      const { payload } = await service.invoke('worker', given)
      expect(payload).toEqual({ event: { list: [1, 2] }, name: 'worker', arn: arn('worker') })
      expect(given).toEqual({ list: [1] })
      service.registerPlatformFunction('broken', () => Promise.reject(new RangeError('out')))
      expect(await service.invoke('broken', {})).toMatchObject({
        functionError: 'Unhandled',
        payload: { errorType: 'RangeError', errorMessage: 'out' },
      })
    })

    it('are visible but read-only in the API, and have reserved names', async () => {
      registerRecorder('worker')
      expect(() => service.registerPlatformFunction('worker', async () => 1)).toThrow(/Function worker already exists/)
      const { Configuration } = await withClient((client) =>
        client.send(new GetFunctionCommand({ FunctionName: 'worker' })),
      )
      expect(Configuration).toMatchObject({ FunctionArn: arn('worker'), State: 'Active' })
      await expect(
        withClient((client) => client.send(new DeleteFunctionCommand({ FunctionName: 'worker' }))),
      ).rejects.toThrow(expect.objectContaining({ name: 'InvalidParameterValueException' }))
      await expect(createFunction('worker', '')).rejects.toThrow(
        expect.objectContaining({ name: 'ResourceConflictException' }),
      )
    })

    it('are rejected when they do not exist', async () => {
      await expect(service.invoke('nobody', {})).rejects.toThrow(
        expect.objectContaining({ type: 'ResourceNotFoundException' }),
      )
    })
  })
})
