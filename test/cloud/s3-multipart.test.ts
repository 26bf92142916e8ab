/** Conformance of the embedded S3: multipart uploads. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catchErrorCode, get, md5, newBucket, put, type Suite, startSuite } from './s3-kit.ts'

const MB = 1 << 20

let suite: Suite
let Bucket: string
beforeAll(async () => {
  suite = await startSuite()
  Bucket = suite.bucket
})
afterAll(() => suite.close())

async function create(Key: string, options: Partial<CreateMultipartUploadCommandInput> = {}): Promise<string> {
  return (await suite.client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...options }))).UploadId!
}

async function uploadPart(
  Key: string,
  UploadId: string,
  PartNumber: number,
  Body: Buffer | string,
  more = {},
): Promise<CompletedPart> {
  const answer = await suite.client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ...more }))
  const { ETag, ChecksumCRC32, ChecksumSHA256 } = answer
  return { PartNumber, ETag, ChecksumCRC32, ChecksumSHA256 }
}

const complete = (Key: string, UploadId: string, Parts: CompletedPart[], more = {}) =>
  suite.client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...more }))

const md5Bytes = (data: Buffer) => Buffer.from(md5(data), 'hex')

describe('multipart upload', () => {
  it('joins parts in the order of their numbers, whatever the upload order', async () => {
    const [one, two, three] = [randomBytes(5 * MB), randomBytes(6 * MB), randomBytes(100)]
    const headers = { ContentType: 'text/csv', Metadata: { m: '1' }, ContentDisposition: 'inline' }
    const UploadId = await create('joined', headers)
    const third = await uploadPart('joined', UploadId, 7, three)
    const first = await uploadPart('joined', UploadId, 1, one)
    const second = await uploadPart('joined', UploadId, 4, two)
    const { ETag } = await complete('joined', UploadId, [first, second, third])
    expect(ETag).toBe(`"${md5(Buffer.concat([one, two, three].map(md5Bytes)))}-3"`)
    expect((await get(suite, 'joined')).equals(Buffer.concat([one, two, three]))).toBe(true)
    const head = await suite.client.send(new HeadObjectCommand({ Bucket, Key: 'joined' }))
    expect(head).toMatchObject({ ...headers, ETag, ContentLength: 11 * MB + 100 })
    expect(await catchErrorCode(uploadPart('joined', UploadId, 1, 'x'))).toBe('NoSuchUpload 404')
  })

  it('accepts the stream of lib-storage', async () => {
    const chunk = randomBytes(MB)
    const Body = Readable.from(Array.from({ length: 12 }, () => chunk))
    const params = { Bucket, Key: 'lib', Body }
    await new Upload({ client: suite.client, params, partSize: 5 * MB }).done()
    const expected = Buffer.concat(Array.from({ length: 12 }, () => chunk))
    expect((await get(suite, 'lib')).equals(expected)).toBe(true)
  })

  it('shows nothing before it is completed', async () => {
    const own = await newBucket(suite.client)
    const created = await suite.client.send(new CreateMultipartUploadCommand({ Bucket: own, Key: 'hidden' }))
    const upload = { Bucket: own, Key: 'hidden', UploadId: created.UploadId }
    await suite.client.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'x' }))
    expect(await catchErrorCode(suite.client.send(new GetObjectCommand({ Bucket: own, Key: 'hidden' })))).toBe(
      'NoSuchKey 404',
    )
    expect((await suite.client.send(new ListObjectsV2Command({ Bucket: own }))).KeyCount).toBe(0)
    const { Uploads } = await suite.client.send(new ListMultipartUploadsCommand({ Bucket: own }))
    expect(Uploads!.map(({ Key, UploadId }) => [Key, UploadId])).toEqual([['hidden', upload.UploadId]])
    await suite.client.send(new AbortMultipartUploadCommand(upload))
    expect((await suite.client.send(new ListMultipartUploadsCommand({ Bucket: own }))).Uploads).toBeUndefined()
    expect(await catchErrorCode(suite.client.send(new AbortMultipartUploadCommand(upload)))).toBe('NoSuchUpload 404')
  })

  it('lists its parts in pages, a replaced part once', async () => {
    const UploadId = await create('parts')
    for (const number of [3, 1, 2]) await uploadPart('parts', UploadId, number, `old ${number}`)
    const replaced = await uploadPart('parts', UploadId, 2, 'newer 2')
    const first = await suite.client.send(new ListPartsCommand({ Bucket, Key: 'parts', UploadId, MaxParts: 2 }))
    expect(first.Parts!.map(({ PartNumber, Size, ETag }) => [PartNumber, Size, ETag])).toEqual([
      [1, 5, `"${md5('old 1')}"`],
      [2, 7, replaced.ETag],
    ])
    const PartNumberMarker = first.NextPartNumberMarker
    const rest = await suite.client.send(new ListPartsCommand({ Bucket, Key: 'parts', UploadId, PartNumberMarker }))
    expect([first.IsTruncated, rest.IsTruncated, rest.Parts!.map(({ PartNumber }) => PartNumber)]).toEqual([
      true,
      false,
      [3],
    ])
  })

  it('rejects wrong, unordered or too small parts, and can still be completed', async () => {
    const UploadId = await create('refused')
    const small = await uploadPart('refused', UploadId, 1, 'small')
    const last = await uploadPart('refused', UploadId, 2, 'last')
    expect(await catchErrorCode(complete('refused', UploadId, [last, small]))).toBe('InvalidPartOrder 400')
    expect(await catchErrorCode(complete('refused', UploadId, [small, last]))).toBe('EntityTooSmall 400')
    expect(await catchErrorCode(complete('refused', UploadId, [{ ...last, PartNumber: 3 }]))).toBe('InvalidPart 400')
    expect(await catchErrorCode(complete('refused', UploadId, [{ ...last, ETag: `"${md5('else')}"` }]))).toBe(
      'InvalidPart 400',
    )
    expect(await catchErrorCode(complete('refused', UploadId, []))).toBe('MalformedXML 400')
    expect(await catchErrorCode(uploadPart('refused', UploadId, 10_001, 'x'))).toBe('InvalidArgument 400')
    expect(await catchErrorCode(complete('another-key', UploadId, [last]))).toBe('NoSuchUpload 404')
    await complete('refused', UploadId, [last])
    expect((await get(suite, 'refused')).toString()).toBe('last')
  })

  it('is completed once by concurrent requests', async () => {
    const UploadId = await create('raced')
    const parts = [await uploadPart('raced', UploadId, 1, 'x')]
    const settled = await Promise.allSettled([1, 2, 3].map(() => complete('raced', UploadId, parts)))
    expect(settled.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await get(suite, 'raced')).toString()).toBe('x')
  })

  it('honors If-None-Match on completion', async () => {
    await put(suite, 'taken', 'first')
    const UploadId = await create('taken')
    const parts = [await uploadPart('taken', UploadId, 1, 'second')]
    expect(await catchErrorCode(complete('taken', UploadId, parts, { IfNoneMatch: '*' }))).toBe(
      'PreconditionFailed 412',
    )
    expect((await get(suite, 'taken')).toString()).toBe('first')
  })

  it('copies parts from ranges of other objects', async () => {
    const source = randomBytes(6 * MB)
    await put(suite, 'source', source)
    const UploadId = await create('spliced')
    const copyPart = async (PartNumber: number, CopySourceRange: string): Promise<CompletedPart> => {
      const target = { Bucket, Key: 'spliced', UploadId, PartNumber }
      const command = new UploadPartCopyCommand({ ...target, CopySource: `${Bucket}/source`, CopySourceRange })
      const { CopyPartResult } = await suite.client.send(command)
      return { PartNumber, ETag: CopyPartResult!.ETag, ChecksumCRC32: CopyPartResult!.ChecksumCRC32 }
    }
    const ranges = [`bytes=0-${5 * MB - 1}`, `bytes=${5 * MB}-${6 * MB - 1}`]
    const parts = [await copyPart(1, ranges[0]!), await copyPart(2, ranges[1]!)]
    await complete('spliced', UploadId, parts)
    expect((await get(suite, 'spliced')).equals(source)).toBe(true)
  })
})

describe('checksums of multipart uploads', () => {
  it('are composed from the parts', async () => {
    const UploadId = await create('composite', { ChecksumAlgorithm: 'SHA256' })
    const [one, two] = [randomBytes(5 * MB), randomBytes(10)]
    const options = { ChecksumAlgorithm: 'SHA256' }
    const parts = [
      await uploadPart('composite', UploadId, 1, one, options),
      await uploadPart('composite', UploadId, 2, two, options),
    ]
    const bare = parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }))
    expect(await catchErrorCode(complete('composite', UploadId, bare))).toBe('InvalidRequest 400')
    const wrong = parts.map((each) => ({ ...each, ChecksumSHA256: parts[0]!.ChecksumSHA256 }))
    expect(await catchErrorCode(complete('composite', UploadId, wrong))).toBe('InvalidPart 400')
    const done = await complete('composite', UploadId, parts)
    expect(done.ChecksumSHA256).toMatch(/^[\w+/]{43}=-2$/)
    const got = await suite.client.send(new GetObjectCommand({ Bucket, Key: 'composite', ChecksumMode: 'ENABLED' }))
    expect([got.ChecksumSHA256, got.ChecksumType]).toEqual([done.ChecksumSHA256, 'COMPOSITE'])
    expect(Buffer.concat([one, two]).equals(await got.Body!.transformToByteArray())).toBe(true)
  })

  it('cover the whole object on request', async () => {
    const body = Buffer.concat([randomBytes(5 * MB), Buffer.from('end')])
    const { ChecksumCRC32 } = await put(suite, 'whole-reference', body)
    const UploadId = await create('whole', { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' })
    const parts = [
      await uploadPart('whole', UploadId, 1, body.subarray(0, 5 * MB)),
      await uploadPart('whole', UploadId, 2, body.subarray(5 * MB)),
    ]
    const completeWithChecksum = (ChecksumCRC32: string) =>
      complete('whole', UploadId, parts, { ChecksumCRC32, ChecksumType: 'FULL_OBJECT' })
    expect(await catchErrorCode(completeWithChecksum('AAAAAA=='))).toBe('BadDigest 400')
    expect((await completeWithChecksum(ChecksumCRC32!)).ChecksumCRC32).toBe(ChecksumCRC32)
  })

  it('are rejected in another algorithm than declared', async () => {
    const UploadId = await create('mismatch', { ChecksumAlgorithm: 'SHA256' })
    const other = uploadPart('mismatch', UploadId, 1, 'x', { ChecksumAlgorithm: 'SHA1' })
    expect(await catchErrorCode(other)).toBe('InvalidRequest 400')
  })
})
