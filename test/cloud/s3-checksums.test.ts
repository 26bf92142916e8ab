/** Conformance of the embedded S3: checksums of bodies, and the aws-chunked encoding that carries them. */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AwsChunkedDecoder } from '../../localstack/cloud/s3/aws-chunked.ts'
import { crc32c } from '../../localstack/cloud/s3/crc32c.ts'
import { ChunkSignatures, deriveSigningKey, sha256Hex } from '../../localstack/cloud/signature/signature.ts'
import { send, sha256 } from '../support/signed-request.ts'
import { catchErrorCode, get, parseErrorCode, type Suite, sendSigned, signRequest, startSuite } from './s3-kit.ts'

let suite: Suite
let Bucket: string
beforeAll(async () => {
  suite = await startSuite()
  Bucket = suite.bucket
})
afterAll(() => suite.close())

const base64 = (algorithm: string, data: string) => createHash(algorithm).update(data).digest('base64')

function crcBase64(crc: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc)
  return bytes.toString('base64')
}

const BODY = 'checked'
const CHECKSUMS = {
  CRC32: crcBase64(crc32(BODY)),
  CRC32C: crcBase64(crc32c(Buffer.from(BODY))),
  SHA1: base64('sha1', BODY),
  SHA256: base64('sha256', BODY),
}
const ALGORITHMS = Object.keys(CHECKSUMS) as (keyof typeof CHECKSUMS)[]

describe('checksums', () => {
  it.each(ALGORITHMS)('computes %s, stores it and returns it on request', async (algorithm) => {
    const name = `Checksum${algorithm}` as const
    const put = await suite.client.send(
      new PutObjectCommand({ Bucket, Key: algorithm, Body: BODY, ChecksumAlgorithm: algorithm }),
    )
    expect(put[name]).toBe(CHECKSUMS[algorithm])
    const head = await suite.client.send(new HeadObjectCommand({ Bucket, Key: algorithm, ChecksumMode: 'ENABLED' }))
    expect([head[name], head.ChecksumType]).toEqual([CHECKSUMS[algorithm], 'FULL_OBJECT'])
    const got = await suite.client.send(new GetObjectCommand({ Bucket, Key: algorithm, ChecksumMode: 'ENABLED' }))
    expect([got[name], await got.Body!.transformToString()]).toEqual([CHECKSUMS[algorithm], BODY])
    const plain = await sendSigned(suite.endpoint, { method: 'HEAD', path: `/${Bucket}/${algorithm}` })
    expect(plain.headers[`x-amz-checksum-${algorithm.toLowerCase()}`]).toBeUndefined()
  })

  it.each(ALGORITHMS)('rejects a wrong %s and stores nothing', async (algorithm) => {
    const put = (value: string) =>
      suite.client.send(new PutObjectCommand({ Bucket, Key: 'bad', Body: 'else', [`Checksum${algorithm}`]: value }))
    expect(await catchErrorCode(put(CHECKSUMS[algorithm]))).toBe('BadDigest 400')
    expect(await catchErrorCode(put('AAAA'))).toBe('InvalidRequest 400')
    expect(await catchErrorCode(get(suite, 'bad'))).toBe('NoSuchKey 404')
  })

  it('rejects more than one checksum', async () => {
    const headers = { 'x-amz-checksum-crc32': CHECKSUMS.CRC32, 'x-amz-checksum-sha1': CHECKSUMS.SHA1 }
    const both = await sendSigned(suite.endpoint, { method: 'PUT', path: `/${Bucket}/both`, headers, body: BODY })
    expect(parseErrorCode(both)).toBe('InvalidRequest 400')
    const promised = { 'x-amz-sdk-checksum-algorithm': 'CRC32' }
    const none = await sendSigned(suite.endpoint, {
      method: 'PUT',
      path: `/${Bucket}/none`,
      headers: promised,
      body: BODY,
    })
    expect(parseErrorCode(none)).toBe('InvalidRequest 400')
  })

  it('accepts an MD5', async () => {
    const put = (contentMd5: string) =>
      sendSigned(suite.endpoint, {
        method: 'PUT',
        path: `/${Bucket}/md5`,
        headers: { 'content-md5': contentMd5 },
        body: BODY,
      })
    expect(parseErrorCode(await put('nonsense'))).toBe('InvalidDigest 400')
    expect(parseErrorCode(await put(base64('md5', 'else')))).toBe('BadDigest 400')
    expect((await put(base64('md5', BODY))).status).toBe(200)
  })

  it('computes CRC-32C like the reference values', () => {
    // RFC 3720, appendix B.4.
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa)
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43)
    expect(crc32c(Buffer.from(Array.from({ length: 32 }, (_, n) => n)))).toBe(0x46dd794e)
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
  })
})

const DATA = ['first chunk, ', 'second chunk']
const WHOLE = DATA.join('')

describe('aws-chunked bodies', () => {
  const getPath = () => `/${Bucket}/chunked`

  function putSigned({ trailers = '', tamper = (body: string) => body } = {}) {
    const payload = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailers ? '-TRAILER' : ''}`
    const headers: Record<string, string> = {
      'x-amz-decoded-content-length': `${WHOLE.length}`,
      'content-encoding': 'aws-chunked',
    }
    if (trailers) headers['x-amz-trailer'] = trailers.split(':')[0]!
    const signed = signRequest(suite.endpoint, { method: 'PUT', path: getPath(), headers }, payload)
    let previous = signed.signature
    const chunks = [...DATA, ''].map((data) => {
      previous = signed.continue('AWS4-HMAC-SHA256-PAYLOAD', previous, `${sha256('')}\n${sha256(data)}`)
      return `${data.length.toString(16)};chunk-signature=${previous}\r\n${data}${data && '\r\n'}`
    })
    const trailerSignature = signed.continue('AWS4-HMAC-SHA256-TRAILER', previous, sha256(`${trailers}\n`))
    const end = trailers ? `${trailers}\r\nx-amz-trailer-signature:${trailerSignature}\r\n\r\n` : '\r\n'
    const body = tamper(chunks.join('') + end)
    return send(suite.endpoint, { method: 'PUT', path: getPath(), headers: signed.headers, body })
  }

  it('are decoded when every chunk is signed', async () => {
    expect((await putSigned()).status).toBe(200)
    expect((await get(suite, 'chunked')).toString()).toBe(WHOLE)
    const head = await suite.client.send(new HeadObjectCommand({ Bucket, Key: 'chunked' }))
    expect([head.ContentEncoding, head.ContentLength]).toEqual([undefined, WHOLE.length])
  })

  it('are decoded with signed trailers, whose checksum is verified', async () => {
    const checksum = `x-amz-checksum-crc32:${crcBase64(crc32(WHOLE))}`
    const answer = await putSigned({ trailers: checksum })
    expect([answer.status, answer.headers['x-amz-checksum-crc32']]).toEqual([200, checksum.split(':')[1]])
    expect(parseErrorCode(await putSigned({ trailers: 'x-amz-checksum-crc32:AAAAAA==' }))).toBe('BadDigest 400')
  })

  it('are rejected when a chunk, a trailer or a signature was changed', async () => {
    const trailers = `x-amz-checksum-crc32:${crcBase64(crc32(WHOLE))}`
    const tampered = [
      putSigned({ tamper: (body) => body.replace('second', 'xecond') }),
      putSigned({ tamper: (body) => body.replace(/chunk-signature=..../, 'chunk-signature=0000') }),
      putSigned({ tamper: (body) => body.replace(/;chunk-signature=\w+/, '') }),
      putSigned({ trailers, tamper: (body) => body.replace(/trailer-signature:..../, 'trailer-signature:0000') }),
    ]
    for (const answer of tampered) expect(parseErrorCode(await answer)).toBe('SignatureDoesNotMatch 403')
  })

  it('are rejected when truncated or of another length than declared', async () => {
    const put = (body: string, headers: Record<string, string> = {}) => {
      const announced = { 'x-amz-decoded-content-length': '5', ...headers }
      const request = { method: 'PUT', path: getPath(), headers: announced, body }
      const signed = signRequest(suite.endpoint, request, 'STREAMING-UNSIGNED-PAYLOAD-TRAILER')
      return send(suite.endpoint, { ...request, headers: signed.headers })
    }
    expect((await put('5\r\nwhole\r\n0\r\n\r\n')).status).toBe(200)
    for (const body of [
      '5\r\nwhole\r\n',
      '5\r\nwho',
      '4\r\nhalf\r\n0\r\n\r\n',
      'x\r\nwhole\r\n0\r\n\r\n',
      '5\r\nwholes\r\n0\r\n\r\n',
    ])
      expect(parseErrorCode(await put(body))).toBe('IncompleteBody 400')
    const promised = { 'x-amz-trailer': 'x-amz-checksum-crc32' }
    expect(parseErrorCode(await put('5\r\nwhole\r\n0\r\n\r\n', promised))).toBe('MalformedTrailerError 400')
    expect((await get(suite, 'chunked')).toString()).toBe('whole')
  })

  it('are drained when rejected midway, so that the client sees the reason', async () => {
    const body = `x\r\n${'0123456789'.repeat(1_000_000)}`
    const request = { method: 'PUT', path: getPath(), body }
    const { headers } = signRequest(suite.endpoint, request, 'STREAMING-UNSIGNED-PAYLOAD-TRAILER')
    expect(parseErrorCode(await send(suite.endpoint, { ...request, headers }))).toBe('IncompleteBody 400')
  })

  it('decode identically however the network splits them', () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 })
    fc.assert(
      fc.property(chunks, fc.array(fc.nat(60)), (datas, cuts) => {
        const parts = datas.flatMap((data) => [
          Buffer.from(`${data.length.toString(16)}\r\n`),
          Buffer.from(data),
          Buffer.from('\r\n'),
        ])
        let rest = Buffer.concat([...parts, Buffer.from('0\r\nX-Amz-One: 1\r\nx-amz-two:2\r\n\r\n')])
        const decoder = new AwsChunkedDecoder()
        const decoded: Buffer[] = []
        for (const cut of [...cuts, rest.length]) {
          decoded.push(...decoder.decode(rest.subarray(0, cut)))
          rest = rest.subarray(cut)
        }
        decoder.end()
        expect(Buffer.concat(decoded).equals(Buffer.concat(datas))).toBe(true)
        expect([...decoder.trailers]).toEqual([
          ['x-amz-one', '1'],
          ['x-amz-two', '2'],
        ])
      }),
    )
  })

  it('are signed as in the example of the AWS documentation', () => {
    // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
    const scope = { date: '20130524', region: 'us-east-1', service: 's3' }
    const signatures = new ChunkSignatures({
      key: deriveSigningKey('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', scope),
      scope,
      timestamp: '20130524T000000Z',
      signature: '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    })
    const chunks: [sizeBytes: number, signature: string][] = [
      [65_536, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648'],
      [1024, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497'],
      [0, 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'],
    ]
    for (const [size, signature] of chunks) {
      expect(signatures.acceptsChunk(sha256Hex(Buffer.alloc(size, 'a')), signature)).toBe(true)
    }
  })
})
