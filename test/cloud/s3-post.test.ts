/** Conformance of the embedded S3: uploads by an HTML form under a signed policy. */
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { catchErrorCode, get, md5, parseErrorCode, put, type Suite, startSuite } from './s3-kit.ts'

let suite: Suite
let Bucket: string
beforeAll(async () => {
  suite = await startSuite()
  Bucket = suite.bucket
})
afterAll(() => suite.close())

const presign = (options: Partial<PresignedPostOptions> = {}) =>
  createPresignedPost(suite.client, { Bucket, Key: 'posted', Expires: 60, ...options })

type Presigned = Awaited<ReturnType<typeof presign>>

function post({ url, fields }: Presigned, file: string | Buffer | undefined, more: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, ...more })) form.append(name, value)
  if (file !== undefined) form.append('file', new Blob([new Uint8Array(Buffer.from(file))]), 'my file.csv')
  return fetch(url, { method: 'POST', body: form, redirect: 'manual' })
}

const readErrorCode = async (response: Response) =>
  parseErrorCode({ status: response.status, headers: {}, body: await response.text() })

describe('form upload with a signed policy', () => {
  it('stores its file with the headers from its fields', async () => {
    const Fields = { 'Content-Type': 'text/csv', 'x-amz-meta-origin': 'ü', 'Content-Disposition': 'inline' }
    const response = await post(await presign({ Fields }), 'a,b\n1,2\n')
    expect([response.status, response.headers.get('etag')]).toEqual([204, `"${md5('a,b\n1,2\n')}"`])
    expect((await get(suite, 'posted')).toString()).toBe('a,b\n1,2\n')
    const head = await suite.client.send(new HeadObjectCommand({ Bucket, Key: 'posted' }))
    expect(head).toMatchObject({ ContentType: 'text/csv', ContentDisposition: 'inline', ContentLength: 8 })
  })

  it('streams a large file', async () => {
    const file = Buffer.alloc(9 << 20, 'wharf ')
    const Conditions: PresignedPostOptions['Conditions'] = [['content-length-range', 1, file.length]]
    expect((await post(await presign({ Conditions }), file)).status).toBe(204)
    expect((await get(suite, 'posted')).equals(file)).toBe(true)
  })

  it('inserts the file name into the key', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of the form, in its own syntax.
    expect((await post(await presign({ Key: 'in/${filename}' }), 'x')).status).toBe(204)
    expect((await get(suite, 'in/my file.csv')).toString()).toBe('x')
  })

  it('responds as the form requests', async () => {
    const created = await post(await presign({ Fields: { success_action_status: '201' } }), 'x')
    expect([created.status, await created.text()]).toEqual([201, expect.stringContaining('<Key>posted</Key>')])
    const success_action_redirect = 'https://app.example/done?a=1'
    const redirected = await post(await presign({ Fields: { success_action_redirect } }), 'x')
    const location = new URL(redirected.headers.get('location')!)
    expect([redirected.status, location.host, location.searchParams.get('a')]).toEqual([303, 'app.example', '1'])
    expect([location.searchParams.get('bucket'), location.searchParams.get('key')]).toEqual([Bucket, 'posted'])
  })
})

describe('signed policy', () => {
  it('rejects files that are too large or too small, and stores nothing', async () => {
    await put(suite, 'posted', 'before')
    const presigned = await presign({ Conditions: [['content-length-range', 3, 1000]] })
    expect(await readErrorCode(await post(presigned, Buffer.alloc(5 << 20)))).toBe('EntityTooLarge 400')
    expect(await readErrorCode(await post(presigned, 'xy'))).toBe('EntityTooSmall 400')
    expect((await get(suite, 'posted')).toString()).toBe('before')
  })

  it('rejects another key or undeclared fields', async () => {
    const presigned = await presign()
    expect(await readErrorCode(await post(presigned, 'x', { key: 'elsewhere' }))).toBe('AccessDenied 403')
    expect(await readErrorCode(await post(presigned, 'x', { 'Content-Type': 'text/html' }))).toBe('AccessDenied 403')
    expect((await post(presigned, 'x', { 'x-ignore-me': '1' })).status).toBe(204)
    expect(await catchErrorCode(get(suite, 'elsewhere'))).toBe('NoSuchKey 404')
  })

  it('rejects fields that violate eq and starts-with', async () => {
    const Conditions: PresignedPostOptions['Conditions'] = [
      ['starts-with', '$Content-Type', 'image/'],
      ['eq', '$x-amz-meta-a', '1'],
    ]
    const presigned = await presign({ Conditions })
    const meets = { 'Content-Type': 'image/png', 'x-amz-meta-a': '1' }
    expect((await post(presigned, 'x', meets)).status).toBe(204)
    expect(await readErrorCode(await post(presigned, 'x', { ...meets, 'Content-Type': 'text/html' }))).toBe(
      'AccessDenied 403',
    )
    expect(await readErrorCode(await post(presigned, 'x', { ...meets, 'x-amz-meta-a': '2' }))).toBe('AccessDenied 403')
    expect(await readErrorCode(await post(presigned, 'x', { 'Content-Type': 'image/png' }))).toBe('AccessDenied 403')
  })

  it('rejects another bucket than the signed one', async () => {
    const presigned = await presign()
    const url = presigned.url.replace(Bucket, 'another-bucket')
    expect((await post({ ...presigned, url }, 'x')).status).toBe(404)
  })

  it('rejects changed policies, wrong signatures and an expired policy', async () => {
    const presigned = await presign()
    const Policy = Buffer.from('{"expiration":"2100-01-01T00:00:00Z","conditions":[]}').toString('base64')
    expect(await readErrorCode(await post(presigned, 'x', { Policy }))).toBe('SignatureDoesNotMatch 403')
    expect(await readErrorCode(await post(presigned, 'x', { 'X-Amz-Signature': '0'.repeat(64) }))).toBe(
      'SignatureDoesNotMatch 403',
    )
    expect(await readErrorCode(await post({ ...presigned, fields: { key: 'posted' } }, 'x'))).toBe('AccessDenied 403')
    expect(await readErrorCode(await post(await presign({ Expires: -1 }), 'x'))).toBe('AccessDenied 403')
  })

  it('rejects forms without a file and bodies that are not a form', async () => {
    const presigned = await presign()
    expect(await readErrorCode(await post(presigned, undefined))).toBe('InvalidArgument 400')
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const cutOff = '--b\r\ncontent-disposition: form-data; name="key"\r\n\r\nposted'
    expect((await fetch(presigned.url, { method: 'POST', body: cutOff, headers })).status).toBe(400)
    const noBoundary = { 'content-type': 'multipart/form-data' }
    expect((await fetch(presigned.url, { method: 'POST', body: 'x', headers: noBoundary })).status).toBe(400)
  })
})

describe.skipIf(process.env.CLOUD)('form truncated in its file', () => {
  const renderFormHead = ({ fields }: Presigned): string => {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    return `${parts.join('')}--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n${'data '.repeat(200_000)}`
  }
  const isClean = () =>
    vi.waitFor(async () => expect(await readdir(join(suite.dataDir, 'tmp'))).toEqual([]), { timeout: 5000 })

  it('is rejected', async () => {
    const presigned = await presign({ Key: 'broken' })
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const response = await fetch(presigned.url, { method: 'POST', body: renderFormHead(presigned), headers })
    expect(await readErrorCode(response)).toBe('MalformedPOSTRequest 400')
    await isClean()
  })

  it('leaves nothing when the browser disconnects', async () => {
    const presigned = await presign({ Key: 'broken' })
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '9999999' }
    const outgoing = request(presigned.url, { method: 'POST', headers })
    outgoing.write(renderFormHead(presigned))
    await vi.waitFor(async () => expect(await readdir(join(suite.dataDir, 'tmp'))).toHaveLength(1), { timeout: 5000 })
    outgoing.on('error', () => {}).destroy()
    await isClean()
    expect((await suite.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'broken' }))).KeyCount).toBe(0)
  })
})
