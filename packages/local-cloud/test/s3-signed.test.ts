/** Conformance of the embedded S3: signed headers, presigned URLs and CORS. */
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, describe, expect, it } from 'vitest'
import { clientConfig } from '../../../test/support/conformance.ts'
import { send } from '../../../test/support/signed-request.ts'
import { catchErrorCode, get, parseErrorCode, put, sendSigned, signRequest, startSuite } from './s3-kit.ts'

const suite = await startSuite()
const Bucket = suite.bucket
const signer = new S3Client({
  ...clientConfig(suite.endpoint),
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
})
await put(suite, 'readme', 'hello')
afterAll(() => signer.destroy())

const readErrorCode = async (response: Response) =>
  parseErrorCode({ status: response.status, headers: {}, body: await response.text() })

describe('signed headers', () => {
  const getPath = () => `/${Bucket}/readme`

  it('accepts correctly signed requests', async () => {
    const response = await sendSigned(suite.endpoint, { method: 'GET', path: getPath() })
    expect([response.status, response.body]).toEqual([200, 'hello'])
    expect(response.headers['x-amz-request-id']).toBeTruthy()
  })

  it('requires a signature', async () => {
    expect(parseErrorCode(await send(suite.endpoint, { method: 'GET', path: getPath() }))).toBe('AccessDenied 403')
    expect(parseErrorCode(await send(suite.endpoint, { method: 'PUT', path: getPath(), body: 'x' }))).toBe(
      'AccessDenied 403',
    )
    expect(parseErrorCode(await send(suite.endpoint, { method: 'GET', path: '/' }))).toBe('AccessDenied 403')
  })

  it('rejects another method, path, header or time than signed', async () => {
    const { headers } = signRequest(suite.endpoint, { method: 'GET', path: getPath() }, 'UNSIGNED-PAYLOAD')
    const tampered = [
      { method: 'DELETE', path: getPath(), headers },
      { method: 'GET', path: `/${Bucket}/other`, headers },
      { method: 'GET', path: `${getPath()}?response-content-type=text/html`, headers },
      { method: 'GET', path: getPath(), headers: { ...headers, 'x-amz-content-sha256': 'a'.repeat(64) } },
      { method: 'GET', path: getPath(), headers: { ...headers, host: 'elsewhere:80' } },
    ]
    for (const request of tampered)
      expect(parseErrorCode(await send(suite.endpoint, request))).toBe('SignatureDoesNotMatch 403')
    const old = signRequest(
      suite.endpoint,
      { method: 'GET', path: getPath() },
      'UNSIGNED-PAYLOAD',
      new Date(Date.now() - 3_600_000),
    )
    expect(parseErrorCode(await send(suite.endpoint, { method: 'GET', path: getPath(), headers: old.headers }))).toBe(
      'RequestTimeTooSkewed 403',
    )
  })

  it('rejects unknown keys and wrong secrets', async () => {
    const signedBy = (accessKeyId: string, secretAccessKey: string) => {
      const credentials = { accessKeyId, secretAccessKey }
      const client = new S3Client({ ...clientConfig(suite.endpoint), forcePathStyle: true, credentials })
      return catchErrorCode(client.send(new GetObjectCommand({ Bucket, Key: 'readme' }))).finally(() =>
        client.destroy(),
      )
    }
    expect(await signedBy('stranger', 'test')).toBe('InvalidAccessKeyId 403')
    expect(await signedBy('test', 'guess')).toBe('SignatureDoesNotMatch 403')
  })

  it('covers the body by its SHA-256', async () => {
    const put = { method: 'PUT', path: `/${Bucket}/hashed`, body: 'one' }
    const { headers } = signRequest(suite.endpoint, put, 'b'.repeat(64))
    expect(parseErrorCode(await send(suite.endpoint, { ...put, headers }))).toBe('XAmzContentSHA256Mismatch 400')
    expect(await catchErrorCode(get(suite, 'hashed'))).toBe('NoSuchKey 404')
  })
})

describe('presigned GET', () => {
  it('reads with only the URL, with the name and type the signer chose', async () => {
    const command = new GetObjectCommand({
      Bucket,
      Key: 'readme',
      ResponseContentDisposition: "attachment; filename*=UTF-8''%C3%BC.txt",
      ResponseContentType: 'text/plain; charset=utf-8',
      ResponseCacheControl: 'no-store',
    })
    const response = await fetch(await getSignedUrl(suite.client, command, { expiresIn: 60 }))
    expect([response.status, await response.text()]).toEqual([200, 'hello'])
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%C3%BC.txt")
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('reads ranges, for keys with any characters', async () => {
    const Key = "dir/ü + 100%/a'b(c)*.txt"
    await put(suite, Key, 'hello world')
    const url = await getSignedUrl(suite.client, new GetObjectCommand({ Bucket, Key }))
    const response = await fetch(url, { headers: { range: 'bytes=6-10' } })
    expect([response.status, await response.text()]).toEqual([206, 'world'])
  })

  it('rejects any change of the URL', async () => {
    const url = await getSignedUrl(
      suite.client,
      new GetObjectCommand({ Bucket, Key: 'readme', ResponseContentType: 'text/plain' }),
    )
    await put(suite, 'secret', 'x')
    const tampered = [
      url.replace('/readme?', '/secret?'),
      url.replace('text%2Fplain', 'text%2Fhtml'),
      url.replace(/Expires=\d+/, 'Expires=9999'),
      url.replace(/Signature=..../, 'Signature=0000'),
      `${url}&versionId=null`,
    ]
    for (const each of tampered) expect(await readErrorCode(await fetch(each))).toBe('SignatureDoesNotMatch 403')
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403)
    expect((await fetch(url)).status).toBe(200)
  })

  it('is valid only within its time window', async () => {
    const command = new GetObjectCommand({ Bucket, Key: 'readme' })
    const signedAt = (ms: number) => ({ expiresIn: 60, signingDate: new Date(Date.now() + ms) })
    const expired = await fetch(await getSignedUrl(suite.client, command, signedAt(-61_000)))
    expect([expired.status, await expired.text()]).toEqual([403, expect.stringContaining('Request has expired')])
    expect((await fetch(await getSignedUrl(suite.client, command, signedAt(-30_000)))).status).toBe(200)
    expect(await readErrorCode(await fetch(await getSignedUrl(suite.client, command, signedAt(3_600_000))))).toBe(
      'AccessDenied 403',
    )
  })

  it('rejects a missing parameter', async () => {
    const url = await getSignedUrl(suite.client, new GetObjectCommand({ Bucket, Key: 'readme' }))
    const response = await fetch(url.replace(/&X-Amz-Date=[^&]+/, ''))
    expect(await readErrorCode(response)).toBe('AuthorizationQueryParametersError 400')
  })
})

describe('presigned PUT', () => {
  const sign = (client: S3Client, Key: string, more: object = {}, options: object = {}) =>
    getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ...more }), { expiresIn: 60, ...options })

  it('writes with only the URL and returns the entity tag', async () => {
    const url = await sign(signer, 'put', { Metadata: { m: 'signed' } })
    const response = await fetch(url, {
      method: 'PUT',
      body: 'from a browser',
      headers: { 'content-type': 'text/csv' },
    })
    expect(response.status).toBe(200)
    const head = await suite.client.send(new HeadObjectCommand({ Bucket, Key: 'put' }))
    expect(head).toMatchObject({ ContentLength: 14, ContentType: 'text/csv', ETag: response.headers.get('etag') })
    expect(head.Metadata).toEqual({ m: 'signed' })
  })

  it('enforces the signed headers', async () => {
    const signableHeaders = new Set(['content-type'])
    const url = await sign(signer, 'typed', { ContentType: 'text/csv' }, { signableHeaders })
    const send = (headers: Record<string, string>) => fetch(url, { method: 'PUT', body: 'a,b', headers })
    expect(await readErrorCode(await send({ 'content-type': 'text/html' }))).toBe('SignatureDoesNotMatch 403')
    expect(await readErrorCode(await send({ 'content-type': 'text/csv', 'x-amz-meta-extra': '1' }))).toBe(
      'AccessDenied 403',
    )
    expect((await send({ 'content-type': 'text/csv' })).status).toBe(200)
  })

  it('rejects another body than the one whose checksum was signed', async () => {
    const url = await sign(signer, 'known', { ChecksumCRC32: 'AAAAAA==' })
    expect(await readErrorCode(await fetch(url, { method: 'PUT', body: 'x' }))).toBe('BadDigest 400')
  })

  it('cannot read, or write elsewhere', async () => {
    const url = await sign(signer, 'put')
    expect((await fetch(url)).status).toBe(403)
    expect((await fetch(url.replace('/put?', '/readme?'), { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await get(suite, 'readme')).toString()).toBe('hello')
  })
})

describe('cross-origin requests', () => {
  const origin = { origin: 'https://app.example' }

  it.skipIf(process.env.CLOUD)('can send a preflight', async () => {
    const headers = {
      ...origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,x-amz-meta-a',
    }
    const response = await fetch(`${suite.endpoint}/${Bucket}/any`, { method: 'OPTIONS', headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type,x-amz-meta-a')
  })

  it.skipIf(process.env.CLOUD)('can read the response, its entity tag and errors', async () => {
    const url = await getSignedUrl(signer, new PutObjectCommand({ Bucket, Key: 'cors' }))
    const answers = [
      await fetch(url, { method: 'PUT', body: 'x', headers: origin }),
      await fetch(url, { method: 'GET', headers: origin }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 403])
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('ETag')
    }
  })
})
