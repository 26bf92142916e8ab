/** Durability of the embedded S3 when its process is killed. Not run against other clouds. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RUN_BUNDLED } from '../../../test/support/bundle-agent.ts'
import { catchErrorCode, md5, newClient, signRequest } from './s3-kit.ts'

const SERVER = join(import.meta.dirname, 's3-process.ts')
const Bucket = 'crash'

interface Server {
  endpoint: string
  client: S3Client
  kill(): Promise<void>
}

let dataDir: string
let running: ChildProcess | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 's3-crash-'))
})
afterEach(async () => {
  if (running?.exitCode === null && running.signalCode === null) {
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  await rm(dataDir, { recursive: true })
})

async function serve(): Promise<Server> {
  const child = spawn(process.execPath, [RUN_BUNDLED, SERVER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running = child
  const [port] = await once(child.stdout, 'data')
  const endpoint = `http://127.0.0.1:${Number(port)}`
  const client = newClient(endpoint)
  await client.send(new CreateBucketCommand({ Bucket }))
  return {
    endpoint,
    client,
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      client.destroy()
    },
  }
}

const temporaryFiles = () => readdir(join(dataDir, 'tmp'))

async function listKeys(client: S3Client): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
  return Contents.map(({ Key }) => Key!)
}

async function beginUpload({ endpoint }: Server, key: string) {
  const body = randomBytes(2 << 20)
  const put = { method: 'PUT', path: `/${Bucket}/${key}`, headers: { 'content-length': String(2 * body.length) } }
  const { headers } = signRequest(endpoint, put, 'UNSIGNED-PAYLOAD')
  const outgoing = request(endpoint + put.path, { method: 'PUT', headers })
  outgoing.on('error', () => {})
  outgoing.write(body)
  await vi.waitFor(async () => expect(await temporaryFiles()).toHaveLength(1), { timeout: 5000 })
  return outgoing
}

describe.skipIf(process.env.CLOUD)('S3 after a SIGKILL', () => {
  it('loses no acknowledged write and shows no torn object', async () => {
    const acknowledged = new Map<string, number>()
    let version = 0
    async function write(writer: string, server: Server): Promise<void> {
      for (;;) {
        const [Key, number] = [`${writer}/${randomInt(4)}`, ++version]
        const Body = randomBytes(randomInt(700_000))
        const Metadata = { md5: md5(Body), version: String(number) }
        try {
          await server.client.send(new PutObjectCommand({ Bucket, Key, Body, Metadata }))
        } catch {
          return
        }
        acknowledged.set(Key, number)
      }
    }
    for (let round = 0; round < 3; round++) {
      const server = await serve()
      const before = version
      const writers = [write('one', server), write('two', server)]
      await vi.waitFor(() => expect(version - before).toBeGreaterThan(30), { timeout: 10_000 })
      await server.kill()
      await Promise.all(writers)
      const { client, kill } = await serve()
      expect(await temporaryFiles()).toEqual([])
      const keys = await listKeys(client)
      expect(keys).toEqual(expect.arrayContaining([...acknowledged.keys()]))
      for (const Key of keys) {
        const got = await client.send(new GetObjectCommand({ Bucket, Key }))
        const body = Buffer.from(await got.Body!.transformToByteArray())
        expect([got.ETag, got.Metadata!.md5]).toEqual([`"${md5(body)}"`, md5(body)])
        expect(Number(got.Metadata!.version)).toBeGreaterThanOrEqual(acknowledged.get(Key) ?? 0)
      }
      await kill()
    }
  })

  it('does not restore deleted objects', async () => {
    const server = await serve()
    await server.client.send(new PutObjectCommand({ Bucket, Key: 'gone', Body: 'x' }))
    await server.client.send(new DeleteObjectCommand({ Bucket, Key: 'gone' }))
    await server.kill()
    const { client } = await serve()
    expect(await catchErrorCode(client.send(new GetObjectCommand({ Bucket, Key: 'gone' })))).toBe('NoSuchKey 404')
  })

  it('leaves nothing of an interrupted upload', async () => {
    const server = await serve()
    const outgoing = await beginUpload(server, 'half')
    await server.kill()
    outgoing.destroy()
    expect(await temporaryFiles()).toHaveLength(1)
    const { client } = await serve()
    expect(await temporaryFiles()).toEqual([])
    expect(await listKeys(client)).toEqual([])
  })

  it('continues an interrupted multipart upload', async () => {
    const server = await serve()
    const parts = [randomBytes(5 << 20), randomBytes(100)]
    const { UploadId } = await server.client.send(
      new CreateMultipartUploadCommand({ Bucket, Key: 'long', ContentType: 'a/b' }),
    )
    const upload = { Bucket, Key: 'long', UploadId }
    const uploadPart = ({ client }: Server, PartNumber: number) =>
      client.send(new UploadPartCommand({ ...upload, PartNumber, Body: parts[PartNumber - 1]! }))
    const first = await uploadPart(server, 1)
    await server.kill()
    const again = await serve()
    const second = await uploadPart(again, 2)
    const Parts = [first, second].map(({ ETag, ChecksumCRC32 }, index) => ({
      PartNumber: index + 1,
      ETag,
      ChecksumCRC32,
    }))
    await again.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
    await again.kill()
    const { client } = await serve()
    const got = await client.send(new GetObjectCommand({ Bucket, Key: 'long' }))
    expect(Buffer.concat(parts).equals(await got.Body!.transformToByteArray())).toBe(true)
    expect(got.ContentType).toBe('a/b')
  })
})

describe.skipIf(process.env.CLOUD)('a disconnecting client', () => {
  it('leaves nothing of its upload', async () => {
    const server = await serve()
    const outgoing = await beginUpload(server, 'half')
    outgoing.destroy()
    await vi.waitFor(async () => expect(await temporaryFiles()).toEqual([]), { timeout: 5000 })
    expect(await listKeys(server.client)).toEqual([])
  })

  it('does not disturb other clients during a download', async () => {
    const server = await serve()
    await server.client.send(new PutObjectCommand({ Bucket, Key: 'big', Body: Buffer.alloc(20 << 20) }))
    const got = await server.client.send(new GetObjectCommand({ Bucket, Key: 'big' }))
    for await (const _piece of got.Body as AsyncIterable<Buffer>) break
    expect(await listKeys(server.client)).toEqual(['big'])
  })
})
