/** Files: in by form and by presigned upload, out byte by byte. */
import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, server, type TestAccount } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let spaceId: string

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  spaceId = (await call('POST', '/spaces', { name: 'Files' })).body.data.id
})

async function post(parts: [name: string, value: string | Blob, fileName?: string][], token = account.secretKey) {
  const form = new FormData()
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, fileName)
  }
  const response = await fetch(`${server().baseUrl}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
  return { status: response.status, body: (await response.json()) as any }
}

const download = async (id: string) => {
  const response = await fetch(`${server().baseUrl}/v1/files/${id}/download`, {
    headers: { authorization: `Bearer ${account.secretKey}` },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const eventsOf = async (fileId: string): Promise<{ topic: string; payload: object; context: object }[]> => {
  const { body } = await call('GET', `/events?spaceId=${spaceId}&domain=file&pageSize=1000`)
  return body.data.filter(({ context }: { context: { fileId: string } }) => context.fileId === fileId)
}

const noise = (bytes: number): Blob => new Blob([randomBytes(bytes)])

describe('a form', () => {
  it('brings a file with fields before and after it, and gives back its bytes', async () => {
    const content = Buffer.from('Größe;naïve\r\n\u0000\xff', 'latin1')
    const { status, body } = await post([
      ['spaceId', spaceId],
      ['file', new Blob([content]), 'über uns.txt'],
      ['environmentId', account.environmentId],
      ['mode', 'import'],
      ['actions', JSON.stringify({ operation: 'a', label: 'A' })],
      ['actions', JSON.stringify({ operation: 'b', label: 'B' })],
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    const file = body.data
    expect(file).toMatchObject({
      name: 'über uns.txt',
      ext: 'txt',
      mimetype: 'text/plain',
      mode: 'import',
      status: 'complete',
      size: content.length,
      bytesReceived: content.length,
      spaceId,
    })
    expect(file.actions.map(({ operation }: { operation: string }) => operation)).toEqual(['a', 'b'])
    const got = await download(file.id)
    expect(got.bytes.equals(content)).toBe(true)
    expect(got.headers.get('content-type')).toBe('text/plain')
    expect(got.headers.get('content-disposition')).toContain(encodeURIComponent('über uns.txt'))
    expect(await eventsOf(file.id)).toMatchObject([
      { topic: 'file:created', payload: {}, context: { spaceId, fileId: file.id, actorId: expect.any(String) } },
    ])
  })

  it('of more than a Lambda takes passes here, and is read by a redirect to S3', async () => {
    const content = randomBytes(7 * 1024 * 1024)
    const { body } = await post([
      ['spaceId', spaceId],
      ['environmentId', account.environmentId],
      ['file', new Blob([content]), 'big.bin'],
    ])
    const got = await download(body.data.id)
    expect(createHash('sha256').update(got.bytes).digest('hex')).toBe(
      createHash('sha256').update(content).digest('hex'),
    )
  })

  it('that is wrong is refused with every problem, and leaves nothing', async () => {
    const before = (await call('GET', `/files?spaceId=${spaceId}`)).body.pagination.totalCount
    const none = await post([['spaceId', spaceId]])
    expect(none).toMatchObject({ status: 400, body: { errors: [{ key: 'file', message: 'is missing' }] } })
    const two = await post([
      ['spaceId', spaceId],
      ['file', noise(1), 'a'],
      ['file', noise(1), 'b'],
    ])
    expect(two.status).toBe(400)
    const fields = await post([
      ['mode', 'sideways'],
      ['actions', 'no json'],
      ['file', noise(1), 'a'],
    ])
    expect(fields.status).toBe(400)
    expect(fields.body.errors.map(({ key }: { key: string }) => key)).toEqual(
      expect.arrayContaining(['spaceId', 'mode', 'actions.0']),
    )
    expect((await call('POST', '/files', { spaceId })).status).toBe(400)
    expect((await call('GET', `/files?spaceId=${spaceId}`)).body.pagination.totalCount).toBe(before)
  })

  it('into a space of somebody else is a 404', async () => {
    const stranger = await mintAccount()
    expect(
      (
        await post(
          [
            ['spaceId', spaceId],
            ['file', noise(1), 'a.txt'],
          ],
          stranger.secretKey,
        )
      ).status,
    ).toBe(404)
    expect(
      (
        await post([
          ['spaceId', 'us_sp_none'],
          ['file', noise(1), 'a.txt'],
        ])
      ).status,
    ).toBe(404)
  })
})

describe('a presigned upload', () => {
  const begin = (size: number, name = 'people.txt') => call('POST', '/files/uploads', { spaceId, name, size })

  it('brings the bytes straight to S3 and tells of the file once they are there', async () => {
    const content = randomBytes(300_000)
    const { body } = await begin(content.length)
    const { file, upload } = body.data
    expect(file).toMatchObject({ status: 'partial', bytesReceived: 0, size: content.length })
    expect((await call('POST', `/files/${file.id}/complete`)).status).toBe(409)
    expect((await download(file.id)).status).toBe(409)
    expect((await fetch(upload.url, { method: upload.method, body: content })).status).toBe(200)
    const completed = await call('POST', `/files/${file.id}/complete`)
    expect(completed.body.data).toMatchObject({ status: 'complete', bytesReceived: content.length })
    expect((await call('POST', `/files/${file.id}/complete`)).status).toBe(200)
    expect((await download(file.id)).bytes.equals(content)).toBe(true)
    expect((await eventsOf(file.id)).map(({ topic }) => topic)).toEqual(['file:created'])
  })

  it('cannot be written to by its address once it is complete', async () => {
    const { file, upload } = (await begin(3)).body.data
    await fetch(upload.url, { method: 'PUT', body: 'abc' })
    await call('POST', `/files/${file.id}/complete`)
    await fetch(upload.url, { method: 'PUT', body: 'evil and longer' })
    expect((await download(file.id)).bytes.toString()).toBe('abc')
  })

  it('is not there by saying so: its status cannot be set while bytes are missing', async () => {
    const { file } = (await begin(3)).body.data
    expect((await call('PATCH', `/files/${file.id}`, { status: 'complete' })).status).toBe(409)
    expect((await call('PATCH', `/files/${file.id}`, { status: 'partial' })).status).toBe(400)
    expect(await eventsOf(file.id)).toEqual([])
  })

  it('that is given up by deleting its file is gone, in parts or whole', async () => {
    for (const size of [3, 2 * 64 * 1024 * 1024]) {
      const { file } = (await begin(size)).body.data
      expect((await call('DELETE', `/files/${file.id}`)).status).toBe(200)
      expect((await call('POST', `/files/${file.id}/complete`)).status).toBe(404)
    }
  })

  it('of another size than announced is refused', async () => {
    const { file, upload } = (await begin(10)).body.data
    await fetch(upload.url, { method: 'PUT', body: 'too short' })
    const refused = await call('POST', `/files/${file.id}/complete`)
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0].message).toContain('10 bytes')
    expect((await call('GET', `/files/${file.id}`)).body.data.status).toBe('partial')
  })

  it('of a large file goes in parts', async () => {
    const partSize = 64 * 1024 * 1024
    const { file, upload } = (await begin(2 * partSize, 'large.txt')).body.data
    expect(upload).toMatchObject({ type: 'multipart', partSize })
    const part = Buffer.alloc(partSize, 'x')
    const parts = await Promise.all(
      upload.parts.map(async ({ partNumber, url }: { partNumber: number; url: string }) => {
        const response = await fetch(url, { method: 'PUT', body: part })
        return { partNumber, etag: response.headers.get('etag') }
      }),
    )
    expect((await call('POST', `/files/${file.id}/complete`)).status).toBe(400)
    const wrong = await call('POST', `/files/${file.id}/complete`, {
      parts: parts.map((one) => ({ ...one, etag: '"0"' })),
    })
    expect(wrong.status).toBe(422)
    expect((await call('POST', `/files/${file.id}/complete`, { parts })).body.data).toMatchObject({
      status: 'complete',
      bytesReceived: 2 * partSize,
    })
  })

  it('over a gigabyte is refused by name of the limit', async () => {
    const { status, body } = await begin(2 ** 30 + 1)
    expect(status).toBe(400)
    expect(body.errors[0].message).toContain('1073741824 bytes')
  })
})

describe('a file', () => {
  it('of a space with a namespace tells of itself in it', async () => {
    const red = (await call('POST', '/spaces', { name: 'Red', namespace: 'red' })).body.data.id
    const { file, upload } = (await call('POST', '/files/uploads', { spaceId: red, name: 'a.txt', size: 1 })).body.data
    await fetch(upload.url, { method: 'PUT', body: 'x' })
    await call('POST', `/files/${file.id}/complete`)
    await call('PATCH', `/files/${file.id}`, { name: 'b.txt' })
    await call('DELETE', `/files/${file.id}`)
    const { body } = await call('GET', `/events?spaceId=${red}&domain=file`)
    expect(
      body.data.map(({ topic, namespaces }: { topic: string; namespaces: string[] }) => [topic, namespaces]),
    ).toEqual([
      ['file:created', ['space:red']],
      ['file:updated', ['space:red']],
      ['file:deleted', ['space:red']],
    ])
  })

  it('with a name or media type that cannot be is refused, or read by its name', async () => {
    const long = await post([
      ['spaceId', spaceId],
      ['mode', 'x'],
      ['file', noise(1), 'n'.repeat(6000)],
    ])
    expect(long.status).toBe(400)
    expect(long.body.errors.map(({ key }: { key: string }) => key).sort()).toEqual(['file', 'mode'])
    const odd = (await call('POST', '/files/uploads', { spaceId, name: 'a.csv', size: 1, mimetype: 'a\r\nb: c' })).body
      .data
    expect(odd.file.mimetype).toBe('text/csv')
  })

  it('is changed, and tells of its status and workbook', async () => {
    const file = (
      await post([
        ['spaceId', spaceId],
        ['file', noise(3), 'a.txt'],
      ])
    ).body.data
    const workbook = (await call('POST', '/workbooks', { spaceId, name: 'w' })).body.data
    await call('PATCH', `/files/${file.id}`, { workbookId: workbook.id })
    await call('PATCH', `/files/${file.id}`, { status: 'failed' })
    await call('PATCH', `/files/${file.id}`, { status: 'failed' })
    expect((await eventsOf(file.id)).slice(1)).toMatchObject([
      { topic: 'file:updated', payload: { status: 'complete', workbookId: workbook.id } },
      { topic: 'file:updated', payload: { status: 'failed', workbookId: workbook.id } },
    ])
    expect((await call('PATCH', `/files/${file.id}`, { name: 'b.psv' })).body.data).toMatchObject({
      name: 'b.psv',
      ext: 'psv',
    })
  })

  it('is deleted with its bytes', async () => {
    const file = (
      await post([
        ['spaceId', spaceId],
        ['file', noise(3), 'a.txt'],
      ])
    ).body.data
    expect((await call('DELETE', `/files/${file.id}`)).body).toEqual({ data: { success: true } })
    expect((await download(file.id)).status).toBe(404)
    const { headObject } = await import('../../lib/objects/store.ts')
    expect(await headObject(`files/${account.environmentId}/${spaceId}/${file.id}`)).toBeUndefined()
    expect((await eventsOf(file.id)).map(({ topic }) => topic)).toEqual(['file:created', 'file:deleted'])
  })
})
