/** Conformance of the embedded S3: buckets, and objects put, read, copied and deleted. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { beforeAll, describe, expect, it } from 'vitest'
import { catchErrorCode, get, md5, newBucket, put, sendSigned, startSuite } from './s3-kit.ts'

const suite = await startSuite()
const Bucket = suite.bucket

describe('buckets', () => {
  it('appear when created and disappear when deleted', async () => {
    const name = await newBucket(suite.client)
    await suite.client.send(new HeadBucketCommand({ Bucket: name }))
    const { Buckets } = await suite.client.send(new ListBucketsCommand({}))
    expect(Buckets!.find((bucket) => bucket.Name === name)!.CreationDate).toBeInstanceOf(Date)
    await suite.client.send(new DeleteBucketCommand({ Bucket: name }))
    expect(await catchErrorCode(suite.client.send(new HeadBucketCommand({ Bucket: name })))).toBe('NotFound 404')
    expect(await catchErrorCode(suite.client.send(new PutObjectCommand({ Bucket: name, Key: 'k', Body: 'x' })))).toBe(
      'NoSuchBucket 404',
    )
  })

  it('can be recreated by their owner without losing anything, as in us-east-1', async () => {
    await put(suite, 'kept', 'yes')
    await suite.client.send(new CreateBucketCommand({ Bucket }))
    expect((await get(suite, 'kept')).toString()).toBe('yes')
  })

  it('cannot be deleted while they contain an object', async () => {
    const name = await newBucket(suite.client)
    await suite.client.send(new PutObjectCommand({ Bucket: name, Key: 'k', Body: 'x' }))
    expect(await catchErrorCode(suite.client.send(new DeleteBucketCommand({ Bucket: name })))).toBe(
      'BucketNotEmpty 409',
    )
    await suite.client.send(new DeleteObjectCommand({ Bucket: name, Key: 'k' }))
    await suite.client.send(new DeleteBucketCommand({ Bucket: name }))
  })

  it('reject invalid names', async () => {
    for (const path of ['/Not_A_Bucket', '/..', '/a'])
      expect((await sendSigned(suite.endpoint, { method: 'PUT', path })).body).toContain(
        '<Code>InvalidBucketName</Code>',
      )
  })
})

describe('PutObject and GetObject', () => {
  it('preserve bytes, content headers and metadata', async () => {
    const headers = {
      ContentType: 'text/csv; charset=utf-8',
      ContentDisposition: 'attachment; filename="a b.csv"',
      ContentEncoding: 'gzip',
      ContentLanguage: 'de',
      CacheControl: 'max-age=60',
      Metadata: { origin: 'here', 'two-words': 'a b' },
    }
    const Body = 'hello world'
    const put = await suite.client.send(new PutObjectCommand({ Bucket, Key: 'h', Body, ...headers }))
    expect(put.ETag).toBe(`"${md5(Body)}"`)
    const got = await suite.client.send(new GetObjectCommand({ Bucket, Key: 'h' }))
    expect(await got.Body!.transformToString()).toBe(Body)
    expect(got).toMatchObject({ ...headers, ETag: put.ETag, ContentLength: 11, AcceptRanges: 'bytes' })
    const head = await suite.client.send(new HeadObjectCommand({ Bucket, Key: 'h' }))
    expect(head).toMatchObject({ ...headers, ETag: put.ETag, ContentLength: 11 })
    expect(Math.abs(Date.now() - head.LastModified!.getTime())).toBeLessThan(60_000)
  })

  it.each([0, 1, 16_000, 16_384, 100_000, 3 << 20])('return %i bytes unchanged', async (size) => {
    const bytes = randomBytes(size)
    await put(suite, `size-${size}`, bytes)
    expect((await get(suite, `size-${size}`)).equals(bytes)).toBe(true)
  })

  it('replace the object and its metadata atomically', async () => {
    await suite.client.send(new PutObjectCommand({ Bucket, Key: 'r', Body: 'one', Metadata: { n: '1' } }))
    await suite.client.send(new PutObjectCommand({ Bucket, Key: 'r', Body: 'three', ContentType: 'text/plain' }))
    const got = await suite.client.send(new GetObjectCommand({ Bucket, Key: 'r' }))
    expect([await got.Body!.transformToString(), got.Metadata, got.ContentType]).toEqual(['three', {}, 'text/plain'])
  })

  it('never mix two versions of an object that is replaced during a read', async () => {
    const bodies = ['a', 'b', 'c'].map((letter) => Buffer.alloc(1 << 20, letter))
    await put(suite, 'race', bodies[0]!)
    const writes = bodies.map((body) => put(suite, 'race', body))
    const reads = Array.from({ length: 12 }, async () => {
      const got = await suite.client.send(new GetObjectCommand({ Bucket, Key: 'race' }))
      return { etag: got.ETag, md5: md5(Buffer.from(await got.Body!.transformToByteArray())) }
    })
    for (const read of await Promise.all(reads)) expect(read.etag).toBe(`"${read.md5}"`)
    await Promise.all(writes)
  })

  it('reject a large body with a reason, wherever it is rejected', async () => {
    const Body = Buffer.alloc(12 << 20)
    const refused = suite.client.send(new PutObjectCommand({ Bucket: 'no-such-bucket-here', Key: 'k', Body }))
    expect(await catchErrorCode(refused)).toBe('NoSuchBucket 404')
    const unsigned = await fetch(`${suite.endpoint}/${Bucket}/k`, { method: 'PUT', body: Body })
    expect([unsigned.status, await unsigned.text()]).toEqual([403, expect.stringContaining('AccessDenied')])
    await put(suite, 'after', 'works')
  })

  it('return NoSuchKey for a missing object, and NotFound for HEAD', async () => {
    expect(await catchErrorCode(suite.client.send(new GetObjectCommand({ Bucket, Key: 'none' })))).toBe('NoSuchKey 404')
    expect(await catchErrorCode(suite.client.send(new HeadObjectCommand({ Bucket, Key: 'none' })))).toBe('NotFound 404')
  })
})

describe('range requests', () => {
  const range = async (Range: string) => {
    const got = await suite.client.send(new GetObjectCommand({ Bucket, Key: 'ranged', Range }))
    return [got.$metadata.httpStatusCode, got.ContentRange, await got.Body!.transformToString()]
  }
  beforeAll(() => put(suite, 'ranged', 'hello world'))

  it('return the requested bytes', async () => {
    expect(await range('bytes=6-10')).toEqual([206, 'bytes 6-10/11', 'world'])
    expect(await range('bytes=6-')).toEqual([206, 'bytes 6-10/11', 'world'])
    expect(await range('bytes=-3')).toEqual([206, 'bytes 8-10/11', 'rld'])
    expect(await range('bytes=9-99')).toEqual([206, 'bytes 9-10/11', 'ld'])
    expect(await range('bytes=-99')).toEqual([206, 'bytes 0-10/11', 'hello world'])
  })

  it('return everything for a malformed range, and 416 beyond the end', async () => {
    expect(await range('bytes=5-2')).toEqual([200, undefined, 'hello world'])
    const beyond = suite.client.send(new GetObjectCommand({ Bucket, Key: 'ranged', Range: 'bytes=11-' }))
    expect(await catchErrorCode(beyond)).toBe('InvalidRange 416')
  })

  it('cut a large object at any position', async () => {
    const bytes = randomBytes(2 << 20)
    await put(suite, 'large', bytes)
    const got = await suite.client.send(new GetObjectCommand({ Bucket, Key: 'large', Range: 'bytes=999999-2000000' }))
    const cut = bytes.subarray(999_999, 2_000_001)
    expect(cut.equals(await got.Body!.transformToByteArray())).toBe(true)
  })
})

describe('conditional requests', () => {
  it('return 304 or 412 for conditional reads', async () => {
    const { ETag } = await put(suite, 'cr', 'x')
    const read = (conditions: object) =>
      catchErrorCode(suite.client.send(new GetObjectCommand({ Bucket, Key: 'cr', ...conditions })))
    const later = new Date(Date.now() + 60_000)
    const earlier = new Date(Date.now() - 3_600_000)
    expect(await read({ IfNoneMatch: ETag })).toMatch('304')
    expect(await read({ IfMatch: '"0123"' })).toBe('PreconditionFailed 412')
    expect(await read({ IfModifiedSince: later })).toMatch('304')
    expect(await read({ IfUnmodifiedSince: earlier })).toBe('PreconditionFailed 412')
    const got = await suite.client.send(
      new GetObjectCommand({ Bucket, Key: 'cr', IfMatch: ETag, IfUnmodifiedSince: earlier }),
    )
    expect(await got.Body!.transformToString()).toBe('x')
  })
})

describe('keys', () => {
  const keys = [
    'plain',
    'plain/below',
    'plain/below/',
    'with space+plus%20percent',
    "ünïcode/日本語/😀 (1)!*'.txt",
    '../../outside',
    'a/../b',
    './c',
    '//',
    '/leading',
    'trailing/',
    'back\\slash:and|<>"?#&=;',
    'line\nbreak\ttab\u0001',
    'CASE',
    'case',
    'é'.repeat(512),
    'x'.repeat(1024),
    '__proto__',
  ]

  it('can be anything up to 1,024 bytes, and are all distinct', async () => {
    const own = { ...suite, bucket: await newBucket(suite.client) }
    for (const key of keys) await put(own, key, `body of ${key}`)
    for (const key of keys) expect((await get(own, key)).toString()).toBe(`body of ${key}`)
    const Objects = keys.map((Key) => ({ Key }))
    const deleted = await suite.client.send(new DeleteObjectsCommand({ Bucket: own.bucket, Delete: { Objects } }))
    expect(deleted.Errors).toBeUndefined()
    expect(deleted.Deleted!.map(({ Key }) => Key)).toEqual(keys)
    await suite.client.send(new DeleteBucketCommand({ Bucket: own.bucket }))
  })

  it('are rejected above 1,024 bytes of UTF-8', async () => {
    expect(await catchErrorCode(put(suite, `${'é'.repeat(512)}x`, ''))).toBe('KeyTooLongError 400')
  })
})

describe('CopyObject', () => {
  it('copies data and headers to another key and bucket', async () => {
    const other = await newBucket(suite.client)
    const Key = 'from/ü +.txt'
    await suite.client.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: 'copied',
        ContentType: 'text/plain',
        Metadata: { m: '1' },
      }),
    )
    const CopySource = `${Bucket}/${encodeURIComponent(Key)}`
    const { CopyObjectResult } = await suite.client.send(
      new CopyObjectCommand({ Bucket: other, Key: 'to', CopySource }),
    )
    const got = await suite.client.send(new GetObjectCommand({ Bucket: other, Key: 'to' }))
    expect(await got.Body!.transformToString()).toBe('copied')
    expect(got).toMatchObject({ ContentType: 'text/plain', Metadata: { m: '1' }, ETag: CopyObjectResult!.ETag })
  })

  it('cannot copy an object onto itself', async () => {
    await put(suite, 'self', 'x')
    const copy = { Bucket, Key: 'self', CopySource: `${Bucket}/self` }
    expect(await catchErrorCode(suite.client.send(new CopyObjectCommand(copy)))).toBe('InvalidRequest 400')
  })

  it('requires its source', async () => {
    const copy = new CopyObjectCommand({ Bucket, Key: 'target', CopySource: `${Bucket}/none` })
    expect(await catchErrorCode(suite.client.send(copy))).toBe('NoSuchKey 404')
  })
})

describe('DeleteObject', () => {
  it('removes an object, and accepts a missing one', async () => {
    await put(suite, 'd', 'x')
    await suite.client.send(new DeleteObjectCommand({ Bucket, Key: 'd' }))
    await suite.client.send(new DeleteObjectCommand({ Bucket, Key: 'd' }))
    expect(await catchErrorCode(get(suite, 'd'))).toBe('NoSuchKey 404')
  })

  it('removes a thousand objects in one call, without listing them if quiet', async () => {
    const Objects = Array.from({ length: 1000 }, (_, n) => ({ Key: `many/&<${n}>` }))
    await Promise.all(Objects.slice(0, 20).map(({ Key }) => put(suite, Key, 'x')))
    const Delete = { Objects, Quiet: true }
    const answer = await suite.client.send(new DeleteObjectsCommand({ Bucket, Delete }))
    expect([answer.Deleted, answer.Errors]).toEqual([undefined, undefined])
    expect(await catchErrorCode(get(suite, Objects[7]!.Key))).toBe('NoSuchKey 404')
  })
})

describe.skipIf(process.env.CLOUD)('missing features', () => {
  it('are rejected by name, and change nothing', async () => {
    await put(suite, 'k', 'x')
    const Tagging = { TagSet: [{ Key: 'a', Value: 'b' }] }
    const missing = [
      new PutObjectTaggingCommand({ Bucket, Key: 'k', Tagging }),
      new PutObjectCommand({ Bucket, Key: 'k', Body: 'y', Tagging: 'a=b' }),
      new PutObjectCommand({ Bucket, Key: 'k', Body: 'y', ACL: 'public-read' }),
      new PutObjectCommand({ Bucket, Key: 'k', Body: 'y', ChecksumAlgorithm: 'SHA256' }),
      new PutObjectCommand({ Bucket, Key: 'k', Body: Readable.from(['y']), ContentLength: 1 }),
      new PutObjectCommand({ Bucket, Key: 'k', Body: 'y', IfNoneMatch: '*' }),
      new DeleteObjectCommand({ Bucket, Key: 'k', IfMatch: '"0123"' }),
      new CopyObjectCommand({ Bucket, Key: 'k', CopySource: `${Bucket}/other`, CopySourceIfMatch: '"0123"' }),
      new CopyObjectCommand({ Bucket, Key: 'k', CopySource: `${Bucket}/other`, MetadataDirective: 'REPLACE' }),
      new UploadPartCopyCommand({ Bucket, Key: 'k', UploadId: 'u', PartNumber: 1, CopySource: `${Bucket}/other` }),
      new GetObjectCommand({ Bucket, Key: 'k', VersionId: 'v1' }),
      new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
    ]
    for (const command of missing) {
      const sent = suite.client.send(command as PutObjectCommand)
      expect(await catchErrorCode(sent)).toBe('NotImplemented 501')
    }
    expect((await get(suite, 'k')).toString()).toBe('x')
  })
})
