/** Asynchronous invocations of the embedded Lambda: retries, destinations, dead letters, waiting for the start, restarts. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AddPermissionCommand,
  CreateFunctionCommand,
  DeleteFunctionCommand,
  GetFunctionCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  PutFunctionEventInvokeConfigCommand,
  type PutFunctionEventInvokeConfigCommandInput,
} from '@aws-sdk/client-lambda'
import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LambdaService, lambda } from '../../localstack/cloud/lambda/index.ts'
import { clientConfig } from '../support/conformance.ts'

const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`

const source = { principal: 'events.amazonaws.com', sourceArn: 'arn:aws:events:us-east-1:000000000000:rule/r' }

describe.skipIf(process.env.CLOUD)('asynchronous invocations', () => {
  let dataDir: string
  let service: LambdaService
  let log: string[]

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'wharf-async-'))
    service = await open()
  })

  afterEach(async () => {
    await service.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  function open(retryDelaySeconds: [number, number] = [0.02, 0.04]): Promise<LambdaService> {
    log = []
    return lambda({ dataDir, retryDelaySeconds, onLog: (line) => log.push(line) })
  }

  async function reopen(retryDelaySeconds?: [number, number]): Promise<void> {
    await service.close()
    service = await open(retryDelaySeconds)
  }

  /** Registers a function of the platform that keeps what it is given, and fails while `fails` says so. */
  function recorder(name: string, fails: (attempt: number) => boolean = () => false) {
    const calls: { event: unknown; requestId: string }[] = []
    service.platform(name, async (event, context) => {
      calls.push({ event, requestId: context.awsRequestId })
      if (fails(calls.length)) throw new Error(`attempt ${calls.length}`)
      return { attempt: calls.length }
    })
    return calls
  }

  /** Sends commands of the SDK to the service, over a server of their own. */
  async function through<T>(work: (client: LambdaClient) => Promise<T>): Promise<T> {
    const server = createServer((req, res) => void service.handle(req, res))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = new LambdaClient(clientConfig(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    try {
      return await work(client)
    } finally {
      client.destroy()
      server.closeAllConnections()
      server.close()
    }
  }

  const configure = (input: PutFunctionEventInvokeConfigCommandInput) =>
    through((client) => client.send(new PutFunctionEventInvokeConfigCommand(input)))

  const createFunction = (FunctionName: string, code: string) =>
    through((client) =>
      client.send(
        new CreateFunctionCommand({
          FunctionName,
          Runtime: 'nodejs24.x',
          Role: 'arn:aws:iam::000000000000:role/agent',
          Handler: 'index.handler',
          Code: { ZipFile: zipSync({ 'index.mjs': strToU8(code) }) },
        }),
      ),
    )

  it('run once when they go well', async () => {
    const calls = recorder('worker')
    await service.invokeAsync('worker', { n: 1 })
    expect(calls).toEqual([])
    await service.idle()
    expect(calls).toEqual([{ event: { n: 1 }, requestId: expect.any(String) }])
  })

  it('are tried three times under one request id, then given up with a line in the log', async () => {
    const calls = recorder('worker', () => true)
    await service.invokeAsync(arn('worker'), {})
    await service.idle()
    expect(calls).toHaveLength(3)
    expect(new Set(calls.map(({ requestId }) => requestId)).size).toBe(1)
    expect(log).toEqual([expect.stringMatching(/\[worker\] invocation .* given up \(RetriesExhausted\).*attempt 3/)])
  })

  it('stop being tried as soon as one goes well', async () => {
    const calls = recorder('worker', (attempt) => attempt === 1)
    await service.invokeAsync('worker', {})
    await service.idle()
    expect(calls).toHaveLength(2)
    expect(log).toEqual([])
  })

  it.each([
    [0, 1],
    [1, 2],
    [185, 3],
  ])('with %i retries wished by their source are tried %i times', async (retries, attempts) => {
    const calls = recorder('worker', () => true)
    await service.invokeAsync('worker', {}, { ...source, retries })
    await service.idle()
    expect(calls).toHaveLength(attempts)
  })

  it('tell the destination of the end, with what went in and what came out', async () => {
    recorder('worker', (attempt) => attempt <= 3)
    const told = recorder('witness')
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
    recorder('worker', () => true)
    const letters = recorder('letters')
    await service.invokeAsync('worker', { n: 1 }, { ...source, retries: 0, deadLetterArn: arn('letters') })
    await service.idle()
    expect(letters).toEqual([expect.objectContaining({ event: expect.objectContaining({ requestPayload: { n: 1 } }) })])
  })

  it('whose dead-letter target is a queue are kept in a file', async () => {
    recorder('worker', () => true)
    const deadLetterArn = 'arn:aws:sqs:us-east-1:000000000000:letters'
    await service.invokeAsync('worker', { n: 1 }, { ...source, retries: 0, deadLetterArn })
    await service.idle()
    const letter = JSON.parse(readFileSync(join(dataDir, 'lambda', 'dead-letters.jsonl'), 'utf8'))
    expect(letter).toMatchObject({ queue: deadLetterArn, body: '{"n":1}', attributes: { RULE_ARN: source.sourceArn } })
  })

  it('need the permission of a function made at run time, exactly for their source', async () => {
    await createFunction('agent', 'export const handler = async () => 1')
    const letters = recorder('letters')
    const told = recorder('told')
    const OnSuccess = { Destination: arn('told') }
    await configure({ FunctionName: 'agent', DestinationConfig: { OnSuccess } })
    const permitted = { ...source, deadLetterArn: arn('letters') }
    const permission = { Action: 'lambda:InvokeFunction', Principal: source.principal, SourceArn: source.sourceArn }
    const allow = (StatementId: string, more: object) =>
      through((client) =>
        client.send(new AddPermissionCommand({ FunctionName: 'agent', StatementId, ...permission, ...more })),
      )
    await allow('s1', { Principal: 's3.amazonaws.com' })
    await allow('s2', { SourceArn: `${source.sourceArn}x` })
    await allow('s3', { Action: 'lambda:GetFunction' })
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
    await allow('s4', { SourceArn: `${source.sourceArn.slice(0, -1)}*` })
    await service.invokeAsync('agent', { n: 2 }, permitted)
    await service.idle()
    expect({ letters: letters.length, told: told.length }).toEqual({ letters: 1, told: 1 })
  })

  it('of a function switched off by a reserved concurrency of zero are given up at once', async () => {
    const calls = recorder('worker')
    await through((client) =>
      client.send(new PutFunctionConcurrencyCommand({ FunctionName: 'worker', ReservedConcurrentExecutions: 0 })),
    )
    await service.invokeAsync('worker', {})
    await service.idle()
    expect(calls).toEqual([])
    expect(log).toEqual([expect.stringMatching(/reserved concurrency/)])
  })

  it('run no more at a time than their function has slots', async () => {
    let running = 0
    let most = 0
    service.platform('worker', async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
    })
    await Promise.all(Array.from({ length: 100 }, (_, n) => service.invokeAsync('worker', { n })))
    await service.idle()
    expect(most).toBe(16)
  })

  it('for a function that is not there wait for the start, and have then failed', async () => {
    const letters = recorder('letters')
    const deadLetterArn = arn('letters')
    await service.invokeAsync('late', { n: 1 }, { ...source, deadLetterArn })
    await service.invokeAsync('never', { n: 2 }, { ...source, deadLetterArn })
    await service.idle()
    expect(letters).toEqual([])
    const late = recorder('late')
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

  it('for a function deleted since have failed', async () => {
    await createFunction('agent', 'export const handler = async () => 1')
    const letters = recorder('letters')
    service.start()
    await through((client) => client.send(new DeleteFunctionCommand({ FunctionName: 'agent' })))
    await service.invokeAsync('agent', {}, { ...source, deadLetterArn: arn('letters') })
    await service.idle()
    expect(letters).toHaveLength(1)
  })

  it('survive a restart with their count of attempts, even behind a line that was cut off', async () => {
    await reopen([60, 60])
    recorder('worker', () => true)
    await service.invokeAsync('worker', { n: 1 }, source)
    await expect.poll(() => readFileSync(journal(), 'utf8')).toContain('"failed"')
    await service.close()
    appendFileSync(journal(), '{"accepted":{"invoc')
    service = await open()
    const calls = recorder('worker', () => true)
    await service.idle()
    expect(calls).toEqual([])
    service.start()
    await service.idle()
    expect(calls).toHaveLength(2)
  })

  it('leave nothing behind when they are finished', async () => {
    recorder('worker')
    for (let n = 0; n < 20; n++) await service.invokeAsync('worker', { n })
    await service.idle()
    await reopen()
    expect(readFileSync(journal(), 'utf8')).toBe('')
    expect(existsSync(join(dataDir, 'lambda', 'dead-letters.jsonl'))).toBe(false)
  })

  it('keep the journal small while they come and go', async () => {
    recorder('worker')
    const payload = { text: 'x'.repeat(200_000) }
    for (let n = 0; n < 60; n++) {
      await service.invokeAsync('worker', payload)
      await service.idle()
    }
    expect(readFileSync(journal()).length).toBeLessThan(5 * 1024 * 1024)
  })

  it('find the functions made at run time again after a restart, with policy, treatment and tags', async () => {
    await createFunction('agent', 'export const handler = async () => "kept"')
    const permission = { Action: 'lambda:InvokeFunction', Principal: source.principal, SourceArn: source.sourceArn }
    await through((client) =>
      client.send(new AddPermissionCommand({ FunctionName: 'agent', StatementId: 's', ...permission })),
    )
    await configure({ FunctionName: 'agent', DestinationConfig: { OnSuccess: { Destination: arn('witness') } } })
    await reopen()
    const told = recorder('witness')
    expect(await service.invoke('agent', {})).toMatchObject({ payload: 'kept' })
    await service.invokeAsync('agent', {}, source)
    await service.idle()
    expect(told).toEqual([expect.objectContaining({ event: expect.objectContaining({ responsePayload: 'kept' }) })])
  })

  const journal = () => join(dataDir, 'lambda', 'invocations.jsonl')

  describe('functions of the platform', () => {
    it('get copies of payloads, a context, and report what they throw', async () => {
      const given = { list: [1] }
      service.platform('worker', async (event, context) => {
        ;(event as typeof given).list.push(2)
        if (context.getRemainingTimeInMillis() < 1000) throw new Error('no time')
        return { event, name: context.functionName, arn: context.invokedFunctionArn }
      })
      const { payload } = await service.invoke('worker', given)
      expect(payload).toEqual({ event: { list: [1, 2] }, name: 'worker', arn: arn('worker') })
      expect(given).toEqual({ list: [1] })
      service.platform('broken', () => Promise.reject(new RangeError('out')))
      expect(await service.invoke('broken', {})).toMatchObject({
        functionError: 'Unhandled',
        payload: { errorType: 'RangeError', errorMessage: 'out' },
      })
    })

    it('are seen, but not changed, through the API, and have names of their own', async () => {
      recorder('worker')
      expect(() => service.platform('worker', async () => 1)).toThrow(/There is a function worker/)
      const { Configuration } = await through((client) =>
        client.send(new GetFunctionCommand({ FunctionName: 'worker' })),
      )
      expect(Configuration).toMatchObject({ FunctionArn: arn('worker'), State: 'Active' })
      await expect(
        through((client) => client.send(new DeleteFunctionCommand({ FunctionName: 'worker' }))),
      ).rejects.toThrow(expect.objectContaining({ name: 'InvalidParameterValueException' }))
      await expect(createFunction('worker', '')).rejects.toThrow(
        expect.objectContaining({ name: 'ResourceConflictException' }),
      )
    })

    it('that do not exist are refused', async () => {
      await expect(service.invoke('nobody', {})).rejects.toThrow(
        expect.objectContaining({ type: 'ResourceNotFoundException' }),
      )
    })
  })
})
