/** The sandbox of the embedded Lambda: what a function may do, and how failures are handled. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateFunctionCommand,
  type CreateFunctionCommandInput,
  GetFunctionCommand,
  LambdaClient,
  UpdateFunctionCodeCommand,
} from '@aws-sdk/client-lambda'
import { strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientConfig, conformanceTarget, type Target } from '../../../test/support/conformance.ts'
import { type LambdaService, startLambda } from '../src/lambda/index.ts'
import { functionInput } from './lambda-kit.ts'

describe.skipIf(process.env.CLOUD)('a function of the embedded Lambda', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-sandbox-'))
  const log: string[] = []
  let service: LambdaService
  let target: Target
  let client: LambdaClient
  let count = 0

  beforeAll(async () => {
    service = await startLambda({ dataDir, onLog: (line) => log.push(line) })
    target = await conformanceTarget(() => service)
    client = new LambdaClient(clientConfig(target.endpoint))
  })

  afterAll(async () => {
    client.destroy()
    await target.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function create(files: Zippable, input: Partial<CreateFunctionCommandInput> = {}): Promise<string> {
    const FunctionName = `f${count++}`
    await client.send(
      new CreateFunctionCommand(functionInput(FunctionName, '', { Code: { ZipFile: zipSync(files) }, ...input })),
    )
    return FunctionName
  }

  const createSource = (text: string) => ({ 'index.mjs': strToU8(text) })

  const createAttempts = (pieces: Record<string, string>) =>
    createSource(`
      import childProcess from 'node:child_process'
      import fs from 'node:fs'
      import workers from 'node:worker_threads'
      const pieces = { ${Object.entries(pieces).map(([name, piece]) => `${name}: () => ${piece}`)} }
      const attempt = (piece) => { try { return piece() } catch (error) { return error.code } }
      export const handler = async () =>
        Object.fromEntries(Object.entries(pieces).map(([name, piece]) => [name, attempt(piece)]))`)

  it('reads only its own code, writes nothing and starts nothing', async () => {
    const name = await create(
      createAttempts({
        ownFile: 'fs.readFileSync(new URL(import.meta.url)).length > 0',
        otherFile: "fs.readFileSync('/etc/hostname').length",
        checkout: `fs.readdirSync(${JSON.stringify(process.cwd())}).length`,
        written: "fs.writeFileSync('here', '')",
        process: "childProcess.execSync('true')",
        worker: "new workers.Worker('', { eval: true })",
      }),
    )
    expect((await service.invoke(name, {})).payload).toEqual({
      ownFile: true,
      otherFile: 'ERR_ACCESS_DENIED',
      checkout: 'ERR_ACCESS_DENIED',
      written: 'ERR_ACCESS_DENIED',
      process: 'ERR_ACCESS_DENIED',
      worker: 'ERR_ACCESS_DENIED',
    })
  })

  it('cannot escalate its permissions through its variables', async () => {
    const otherFile = "fs.readFileSync('/etc/hostname').length"
    const Variables = { NODE_OPTIONS: '--allow-fs-read=*', LD_PRELOAD: '/nowhere.so' }
    const name = await create(createAttempts({ otherFile }), { Environment: { Variables } })
    expect((await service.invoke(name, {})).payload).toEqual({ otherFile: 'ERR_ACCESS_DENIED' })
  })

  it('sees its own and the Lambda variables, and none of the host', async () => {
    const name = await create(createSource('export const handler = async () => process.env'), {
      Environment: { Variables: { OWN: 'mine' } },
    })
    const { OWN, ...others } = (await service.invoke(name, {})).payload as Record<string, string>
    expect(OWN).toBe('mine')
    expect(others.AWS_LAMBDA_FUNCTION_NAME).toBe(name)
    const ofLambda = /^(_HANDLER|AWS_(LAMBDA_\w+|REGION|DEFAULT_REGION|EXECUTION_ENV)|LAMBDA_TASK_ROOT|TZ)$/
    expect(Object.keys(others).filter((variable) => !ofLambda.test(variable))).toEqual([])
  })

  it.each<[string, string, unknown, object]>([
    ['ends its process', '() => process.exit(3)', {}, { errorType: 'Runtime.ExitError' }],
    [
      'leaves a rejection unhandled',
      '() => { Promise.reject(new Error("lost")); return new Promise(() => {}) }',
      {},
      { errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: 'Error: lost' },
    ],
    [
      'throws outside of its promise',
      '() => new Promise(() => setImmediate(() => { throw new RangeError("outside") }))',
      {},
      { errorType: 'RangeError', errorMessage: 'outside' },
    ],
    [
      'returns what is no JSON',
      'async () => { const a = {}; a.a = a; return a }',
      {},
      { errorType: 'Runtime.MarshalError' },
    ],
    ['answers with more than 6 MB', 'async () => "x".repeat(7e6)', {}, { errorType: 'Function.ResponseSizeTooLarge' }],
    [
      'spins past its timeout',
      '() => { for (;;); }',
      {},
      { errorType: 'Sandbox.Timedout', errorMessage: expect.stringMatching(/Task timed out after 1\.00 seconds$/) },
    ],
    ['throws a string', 'async () => { throw "text" }', {}, { errorType: 'string', errorMessage: 'text' }],
  ])('that %s fails the call, and the next call works', async (_what, handler, event, error) => {
    const name = await create(
      createSource(
        `const fail = ${handler}; export const handler = (event) => (event.ok ? Promise.resolve('ok') : fail())`,
      ),
      { Timeout: 1 },
    )
    expect(await service.invoke(name, event)).toMatchObject({ functionError: 'Unhandled', payload: error })
    expect(await service.invoke(name, { ok: true })).toMatchObject({ payload: 'ok' })
  })

  it('that exceeds its memory fails the call', async () => {
    const hoard =
      'export const handler = async () => { const all = []; for (;;) all.push(new Array(1e5).fill(Math.random())) }'
    const name = await create(createSource(hoard), { MemorySize: 128, Timeout: 20 })
    expect(await service.invoke(name, {})).toMatchObject({ payload: { errorType: 'Runtime.ExitError' } })
  })

  it.each<[string, string, Zippable, object]>([
    ['has no such file', 'other.handler', createSource(''), { errorType: 'Runtime.ImportModuleError' }],
    [
      'imports what is not there',
      'index.handler',
      createSource('import "not-there"'),
      { errorType: 'Runtime.ImportModuleError' },
    ],
    [
      'has no such export',
      'index.run',
      createSource('export const handler = 1'),
      { errorType: 'Runtime.HandlerNotFound' },
    ],
    ['is no JavaScript', 'index.handler', createSource('export const ='), { errorType: 'Runtime.UserCodeSyntaxError' }],
    [
      'throws while it loads',
      'index.handler',
      createSource('throw new EvalError("cold")'),
      { errorType: 'EvalError', errorMessage: 'cold' },
    ],
  ])('that %s fails every call', async (_what, Handler, files, error) => {
    const name = await create(files, { Handler })
    for (const _ of [1, 2]) expect(await service.invoke(name, {})).toMatchObject({ payload: error })
  })

  it('finds handlers in folders and objects, and responds through a callback', async () => {
    const folder = {
      'dist/api.cjs': strToU8('exports.routes = { list: (event, context, done) => done(null, context.functionName) }'),
    }
    const name = await create(folder, { Handler: 'dist/api.routes.list' })
    expect((await service.invoke(name, {})).payload).toBe(name)
  })

  it('handles one call at a time per process, in up to four processes', async () => {
    const name = await create(
      createSource(`let running = 0; let most = 0
        export const handler = async () => {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setTimeout(resolve, 100))
          running--
          return { pid: process.pid, most }
        }`),
    )
    const results = await Promise.all(Array.from({ length: 9 }, () => service.invoke(name, {})))
    const payloads = results.map(({ payload }) => payload as { pid: number; most: number })
    expect(new Set(payloads.map(({ pid }) => pid)).size).toBe(4)
    expect(Math.max(...payloads.map(({ most }) => most))).toBe(1)
  })

  it('writes to the log of the host, line by line under its name', async () => {
    const name = await create(
      createSource('export const handler = async () => { console.log("one\\ntwo"); process.stderr.write("three") }'),
    )
    const { log: ofCall } = await service.invoke(name, {})
    const own = log.filter((line) => line.startsWith(`[${name}]`))
    expect(own).toEqual([expect.stringMatching(/\tINFO\tone$/), `[${name}] two`, `[${name}] three`])
    expect(ofCall).toMatch(/^START [\s\S]*\tone\ntwo\n[\s\S]*END /)
  })

  it('separates the output of consecutive calls', async () => {
    const name = await create(
      createSource(`export const handler = async (n) => {
        process.stdout.write('out ' + n + '\\n')
        process.stderr.write('x'.repeat(50_000) + '\\nerr ' + n)
      }`),
    )
    for (let n = 0; n < 40; n++) {
      const lines = (await service.invoke(name, n)).log.split('\n').filter((line) => /^(out|err)/.test(line))
      expect(lines.sort()).toEqual([`err ${n}`, `out ${n}`])
    }
  })

  it('finishes a running call with the old code after an update', async () => {
    const createWaiting = (text: string) => ({
      'index.mjs': strToU8(`export const handler = async () => {
        await new Promise((resolve) => setTimeout(resolve, 200))
        return (await import('./lazy.mjs')).text }`),
      'lazy.mjs': strToU8(`export const text = '${text}'`),
    })
    const name = await create(createWaiting('old'))
    const running = service.invoke(name, {})
    await client.send(new UpdateFunctionCodeCommand({ FunctionName: name, ZipFile: zipSync(createWaiting('new')) }))
    expect((await running).payload).toBe('old')
    expect((await service.invoke(name, {})).payload).toBe('new')
  })

  it('can be downloaded as it was uploaded', async () => {
    const files = createSource('export const handler = async () => 1')
    const name = await create(files)
    const { Code } = await client.send(new GetFunctionCommand({ FunctionName: name }))
    const bytes = new Uint8Array(await (await fetch(Code!.Location!)).arrayBuffer())
    expect(unzipSync(bytes)).toEqual(files)
  })

  const createUnixMode = (mode: number) => ({ os: 3, attrs: mode * 0x10000 })

  it.each<[string, Zippable]>([
    ['has a symbolic link', { link: [strToU8('/etc/hostname'), createUnixMode(0o120777)] }],
    ['leaves its folder', { '../index.mjs': strToU8('') }],
    ['names an absolute path', { '/tmp/index.mjs': strToU8('') }],
    ['leaves its folder the other way', { 'a\\..\\..\\index.mjs': strToU8('') }],
    ['names a file as a folder', { a: strToU8('1'), 'a/b': strToU8('2') }],
    ['is empty', {}],
  ])('is rejected when its package %s', async (_what, files) => {
    await expect(create(files)).rejects.toThrow(expect.objectContaining({ name: 'InvalidParameterValueException' }))
  })

  it('is rejected when its package declares more than 250 MB', async () => {
    const zip = Buffer.from(zipSync({ 'index.mjs': strToU8('1') }))
    const directory = zip.readUInt32LE(zip.length - 22 + 16)
    zip.writeUInt32LE(251 * 1024 * 1024, directory + 24)
    await expect(create({}, { Code: { ZipFile: zip } })).rejects.toThrow(/Unzipped size must be smaller/)
  })

  it('cannot set reserved variables or more than 4 KB of variables', async () => {
    const createWithVariables = (Variables: Record<string, string>) =>
      create(createSource(''), { Environment: { Variables } })
    await expect(createWithVariables({ AWS_REGION: 'eu' })).rejects.toThrow(/reserved keys.*AWS_REGION/)
    await expect(createWithVariables({ BIG: 'x'.repeat(4096) })).rejects.toThrow(/4KB limit/)
  })

  it('has no variables, files, processes or network when isolated', async () => {
    const code = `
      import net from 'node:net'
      import http from 'node:http'
      import dgram from 'node:dgram'
      import dns from 'node:dns'
      import fs from 'node:fs'
      const met = async (work) => { try { return String(await work()) } catch (error) { return error.code ?? error.message } }
      export const handler = async ({ port }) => ({
        variables: Object.keys(process.env).filter((name) => !/^(AWS_|LAMBDA_TASK_ROOT$|_HANDLER$|TZ$|NODE_)/.test(name)),
        credentials: Object.keys(process.env).filter((name) => /KEY|TOKEN|SECRET/.test(name)),
        fetch: await met(() => fetch("http://127.0.0.1:" + port)),
        connect: await met(() => net.connect(port, '127.0.0.1')),
        socket: await met(() => new net.Socket().connect(port, '127.0.0.1')),
        http: await met(() => new Promise((resolve, reject) => http.get({ port, host: '127.0.0.1' }, resolve).on('error', reject))),
        listen: await met(() => net.createServer().listen(0)),
        datagram: await met(() => dgram.createSocket('udp4').send('x', port, '127.0.0.1')),
        lookup: await met(() => dns.promises.lookup('localhost')),
        resolver: await met(() => new dns.promises.Resolver().resolve('localhost')),
        binding: await met(() => new (process.binding('tcp_wrap').TCP)(0)),
        file: await met(() => fs.readFileSync('/etc/passwd', 'utf8').slice(0, 4)),
        write: await met(() => fs.writeFileSync('/tmp/isolated', '')),
        child: await met(async () => (await import('node:child_process')).execSync('id')),
        worker: await met(async () => new (await import('node:worker_threads')).Worker('1', { eval: true })),
      })`
    const codeDir = mkdtempSync(join(tmpdir(), 'wharf-isolated-'))
    writeFileSync(join(codeDir, 'index.mjs'), code)
    const getCodeDir = async () => codeDir
    service.registerIsolatedFunction('isolated', {
      handler: 'index.handler',
      timeoutSeconds: 10,
      memoryMegabytes: 128,
      unpack: getCodeDir,
    })
    const port = Number(new URL(target.endpoint).port)
    const { payload } = await service.invoke('isolated', { port })
    const refused = 'This function has no network.'
    expect(payload).toEqual({
      variables: [],
      credentials: [],
      fetch: refused,
      connect: refused,
      socket: refused,
      http: refused,
      listen: refused,
      datagram: refused,
      lookup: refused,
      resolver: refused,
      ...{ binding: 'ERR_ACCESS_DENIED', file: 'ERR_ACCESS_DENIED', write: 'ERR_ACCESS_DENIED' },
      ...{ child: 'ERR_ACCESS_DENIED', worker: 'ERR_ACCESS_DENIED' },
    })
    const update = new UpdateFunctionCodeCommand({ FunctionName: 'isolated', ZipFile: zipSync(createSource('')) })
    await expect(client.send(update)).rejects.toThrow(/platform function/)
    rmSync(codeDir, { recursive: true, force: true })
  })
})
