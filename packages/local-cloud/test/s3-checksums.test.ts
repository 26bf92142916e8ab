import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { describe, expect, it } from 'vitest'
import { catchErrorCode, get, parseErrorCode, sendSigned, startSuite } from './s3-kit.ts'

const suite = await startSuite()
const Bucket = suite.bucket

const BODY = 'checked'

function computeCrc(data: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(data))
  return bytes.toString('base64')
}

describe('checksums', () => {
  it('accepts a CRC32, rejects a wrong one and stores nothing', async () => {
    const put = (Key: string, ChecksumCRC32: string) =>
      suite.client.send(new PutObjectCommand({ Bucket, Key, Body: BODY, ChecksumCRC32 }))
    await put('good', computeCrc(BODY))
    expect((await get(suite, 'good')).toString()).toBe(BODY)
    expect(await catchErrorCode(put('bad', computeCrc('else')))).toBe('BadDigest 400')
    expect(await catchErrorCode(put('bad', 'AAAA'))).toBe('InvalidRequest 400')
    expect(await catchErrorCode(get(suite, 'bad'))).toBe('NoSuchKey 404')
  })

  it('accepts an MD5', async () => {
    const computeMd5 = (data: string) => createHash('md5').update(data).digest('base64')
    const put = (contentMd5: string) =>
      sendSigned(suite.endpoint, {
        method: 'PUT',
        path: `/${Bucket}/md5`,
        headers: { 'content-md5': contentMd5 },
        body: BODY,
      })
    expect(parseErrorCode(await put('nonsense'))).toBe('InvalidDigest 400')
    expect(parseErrorCode(await put(computeMd5('else')))).toBe('BadDigest 400')
    expect((await put(computeMd5(BODY))).status).toBe(200)
  })
})
