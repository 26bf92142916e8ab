import { randomBytes } from 'node:crypto'
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
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { describe, expect, it } from 'vitest'
import { catchErrorCode, get, md5, newBucket, startSuite } from './s3-kit.ts'

const MB = 1 << 20

const suite = await startSuite()
const Bucket = suite.bucket

async function create(Key: string, options: Partial<CreateMultipartUploadCommandInput> = {}): Promise<string> {
  return (await suite.client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...options }))).UploadId!
}

async function uploadPart(
  Key: string,
  UploadId: string,
  PartNumber: number,
  Body: Buffer | string,
): Promise<CompletedPart> {
  const upload = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body })
  const { ETag, ChecksumCRC32 } = await suite.client.send(upload)
  return { PartNumber, ETag, ChecksumCRC32 }
}

const complete = (Key: string, UploadId: string, Parts: CompletedPart[]) =>
  suite.client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))

const md5Bytes = (data: Buffer) => Buffer.from(md5(data), 'hex')

describe('multipart upload', () => {
  it('joins parts in the order of their numbers, whatever the upload order', async () => {
    const [one, two, three] = [randomBytes(5 * MB), randomBytes(6 * MB), randomBytes(100)]
    const headers = { ContentType: 'text/csv', Metadata: { m: '1' }, ContentDisposition: 'inline' }
    const UploadId = await create('joined', headers)
    const third = await uploadPart('joined', UploadId, 7, three)
    await uploadPart('joined', UploadId, 1, 'replaced below')
    const first = await uploadPart('joined', UploadId, 1, one)
    const second = await uploadPart('joined', UploadId, 4, two)
    const { ETag } = await complete('joined', UploadId, [first, second, third])
    expect(ETag).toBe(`"${md5(Buffer.concat([one, two, three].map(md5Bytes)))}-3"`)
    expect((await get(suite, 'joined')).equals(Buffer.concat([one, two, three]))).toBe(true)
    const head = await suite.client.send(new HeadObjectCommand({ Bucket, Key: 'joined' }))
    expect(head).toMatchObject({ ...headers, ETag, ContentLength: 11 * MB + 100 })
    expect(await catchErrorCode(uploadPart('joined', UploadId, 1, 'x'))).toBe('NoSuchUpload 404')
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
})
