import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { createCaller, createTestAccount, getAccessToken, getServer, pluck } from '../support/api.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'

let spaceId: string

beforeAll(async () => {
  await createFreshAccount()
  spaceId = await spaceWithoutExtraction({ name: 'Files' })
})

const spaceWithoutExtraction = async (space: object): Promise<string> =>
  (await must('POST', '/spaces', { ...space, settings: { extraction: 'listener' } })).id

async function post(parts: [name: string, value: string | Blob, fileName?: string][], token = account.secretKey) {
  const form = new FormData()
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, fileName)
  }
  const response = await fetch(`${getServer().baseUrl}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
  return { status: response.status, body: (await response.json()) as any }
}

const postFile = (content: Blob, name: string, token?: string) =>
  post(
    [
      ['spaceId', spaceId],
      ['file', content, name],
    ],
    token,
  )

async function download(id: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${getServer().baseUrl}/v1/files/${id}/download`, {
    headers: { authorization: `Bearer ${account.secretKey}`, ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const eventsOf = (fileId: string) => findEvents(`spaceId=${spaceId}&domain=file`, { fileId })

const randomBlob = (bytes: number): Blob => new Blob([randomBytes(bytes)])

describe('a form upload', () => {
  it('accepts a file with fields before and after it, and returns its bytes', async () => {
    const content = Buffer.from('Größe;naïve\r\n\u0000\xff', 'latin1')
    const { status, body } = await post([
      ['spaceId', spaceId],
      ['file', new Blob([content]), 'über uns.bin'],
      ['environmentId', account.environmentId],
      ['mode', 'import'],
      ['actions', JSON.stringify({ operation: 'a', label: 'A' })],
      ['actions', JSON.stringify({ operation: 'b', label: 'B' })],
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    const file = body.data
    expect(file).toMatchObject({
      name: 'über uns.bin',
      ext: 'bin',
      mimetype: 'application/octet-stream',
      mode: 'import',
      status: 'complete',
      size: content.length,
      bytesReceived: content.length,
      spaceId,
    })
    expect(pluck(file.actions, 'operation')).toEqual(['a', 'b'])
    const got = await download(file.id)
    expect(got.bytes.equals(content)).toBe(true)
    expect(got.headers.get('content-type')).toBe('application/octet-stream')
    expect(got.headers.get('content-disposition')).toContain(encodeURIComponent('über uns.bin'))
    expect(await eventsOf(file.id)).toMatchObject([
      { topic: 'file:created', payload: {}, context: { spaceId, fileId: file.id, actorId: expect.any(String) } },
    ])
  })

  it('larger than a Lambda payload is accepted here and downloaded by a redirect to S3', async () => {
    const content = randomBytes(7 * 1024 * 1024)
    const { body } = await postFile(new Blob([content]), 'big.bin')
    const got = await download(body.data.id)
    expect(createHash('sha256').update(got.bytes).digest('hex')).toBe(
      createHash('sha256').update(content).digest('hex'),
    )
  })

  it('that is invalid is rejected with every problem, and leaves nothing', async () => {
    const before = (await call('GET', `/files?spaceId=${spaceId}`)).body.pagination.totalCount
    const none = await post([['spaceId', spaceId]])
    expect(none).toMatchObject({ status: 400, body: { errors: [{ key: 'file', message: 'is missing' }] } })
    const two = await post([
      ['spaceId', spaceId],
      ['file', randomBlob(1), 'a'],
      ['file', randomBlob(1), 'b'],
    ])
    expect(two.status).toBe(400)
    const fields = await post([
      ['mode', 'sideways'],
      ['actions', 'no json'],
      ['file', randomBlob(1), 'a'],
    ])
    expect(fields.status).toBe(400)
    expect(pluck(fields.body.errors, 'key')).toEqual(expect.arrayContaining(['spaceId', 'mode', 'actions.0']))
    expect((await call('POST', '/files', { spaceId })).status).toBe(400)
    expect((await call('GET', `/files?spaceId=${spaceId}`)).body.pagination.totalCount).toBe(before)
  })

  it('is listed with those of other spaces of its environment, for users too', async () => {
    const { body } = await postFile(randomBlob(1), 'somewhere.bin')
    const { environmentId, email, password } = account
    const accessToken = await getAccessToken({ email, password })
    const listAs = createCaller(accessToken)
    const listed = await listAs('GET', `/files?environmentId=${environmentId}&pageSize=1000`)
    expect(pluck(listed.body.data, 'id')).toContain(body.data.id)
    expect((await listAs('GET', '/files')).status).toBe(400)
    const { id } = (await listAs('POST', '/environments', { name: 'Other', isProd: false })).body.data
    expect((await listAs('GET', `/files?environmentId=${id}`)).body.data).toEqual([])
    expect((await listAs('GET', `/files?environmentId=${id}&spaceId=${spaceId}`)).status).toBe(404)
  })

  it('into a space of another account is a 404', async () => {
    const stranger = await createTestAccount()
    expect((await postFile(randomBlob(1), 'a.bin', stranger.secretKey)).status).toBe(404)
    expect(
      (
        await post([
          ['spaceId', 'us_sp_none'],
          ['file', randomBlob(1), 'a.bin'],
        ])
      ).status,
    ).toBe(404)
  })
})

describe('a presigned upload', () => {
  const startUpload = (size: number, name = 'people.bin') => call('POST', '/files/uploads', { spaceId, name, size })

  it('sends the bytes straight to S3 and emits the file once they are there', async () => {
    const content = randomBytes(300_000)
    const { body } = await startUpload(content.length)
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

  it('cannot be written to by its URL once it is complete', async () => {
    const { file, upload } = (await startUpload(3)).body.data
    await fetch(upload.url, { method: 'PUT', body: 'abc' })
    await call('POST', `/files/${file.id}/complete`)
    await fetch(upload.url, { method: 'PUT', body: 'evil and longer' })
    expect((await download(file.id)).bytes.toString()).toBe('abc')
  })

  it('cannot be completed by setting its status while bytes are missing', async () => {
    const { file } = (await startUpload(3)).body.data
    expect((await call('PATCH', `/files/${file.id}`, { status: 'complete' })).status).toBe(409)
    expect((await call('PATCH', `/files/${file.id}`, { status: 'partial' })).status).toBe(400)
    expect(await eventsOf(file.id)).toEqual([])
  })

  it('is aborted by deleting its file, multipart or single', async () => {
    for (const size of [3, 2 * 64 * 1024 * 1024]) {
      const { file } = (await startUpload(size)).body.data
      expect((await call('DELETE', `/files/${file.id}`)).status).toBe(200)
      expect((await call('POST', `/files/${file.id}/complete`)).status).toBe(404)
    }
  })

  it('with a size other than announced is rejected', async () => {
    const { file, upload } = (await startUpload(10)).body.data
    await fetch(upload.url, { method: 'PUT', body: 'too short' })
    const refused = await call('POST', `/files/${file.id}/complete`)
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0].message).toContain('instead of 10.')
    expect((await must('GET', `/files/${file.id}`)).status).toBe('partial')
  })

  it('is multipart for a large file', async () => {
    const partSize = 64 * 1024 * 1024
    const { file, upload } = (await startUpload(2 * partSize, 'large.bin')).body.data
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
    expect(await must('POST', `/files/${file.id}/complete`, { parts })).toMatchObject({
      status: 'complete',
      bytesReceived: 2 * partSize,
    })
  })

  it('over 20 GB is rejected by name of the limit', async () => {
    const { status, body } = await startUpload(20 * 2 ** 30 + 1)
    expect(status).toBe(400)
    expect(body.errors[0].message).toContain('21,474,836,480 bytes')
  })
})

describe('a download', () => {
  const downloadRange = (id: string, range: string) => download(id, { range })

  it.each([200, 5 * 1024 * 1024])('returns a range of %d bytes', async (size) => {
    const content = randomBytes(size)
    const { body } = await postFile(new Blob([content]), 'range.bin')
    const { id } = body.data
    const cases: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=10-19', 10, 20],
      ['bytes=-5', size - 5, size],
      [`bytes=${size - 3}-`, size - 3, size],
      [`bytes=100-${size * 2}`, 100, size],
    ]
    for (const [range, start, end] of cases) {
      const got = await downloadRange(id, range)
      expect([got.status, got.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/${size}`])
      expect(got.bytes.equals(content.subarray(start, end))).toBe(true)
    }
    const none = await downloadRange(id, `bytes=${size}-`)
    expect([none.status, none.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
    for (const whole of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=5-2'])
      expect([(await downloadRange(id, whole)).bytes.length, whole]).toEqual([size, whole])
  })
})

describe('a clone', () => {
  it('is a separate file with the same bytes', async () => {
    const content = randomBytes(1000)
    const file = (
      await post([
        ['spaceId', spaceId],
        ['file', new Blob([content]), 'original.bin'],
        ['actions', JSON.stringify({ operation: 'a', label: 'A' })],
      ])
    ).body.data
    const copy = await must('POST', `/files/${file.id}/clone`)
    expect(copy).toMatchObject({
      name: 'Copy of original.bin',
      size: 1000,
      status: 'complete',
      mode: 'import',
      spaceId,
    })
    expect(copy.actions).toEqual(file.actions)
    expect((await must('POST', `/files/${file.id}/clone`, { prefix: '2 ' })).name).toBe('2 original.bin')
    await call('DELETE', `/files/${file.id}`)
    expect((await download(copy.id)).bytes.equals(content)).toBe(true)
    expect((await eventsOf(copy.id)).map(({ topic }) => topic)).toEqual(['file:created'])
    expect((await call('POST', `/files/${copy.id}/clone`, { prefix: 'a/' })).status).toBe(400)
    const { file: partial } = await must('POST', '/files/uploads', { spaceId, name: 'p.bin', size: 3 })
    expect((await call('POST', `/files/${partial.id}/clone`)).status).toBe(409)
  })
})

describe('the header of a table', () => {
  const detect = async (options: object, data: string[][]) =>
    (await call('POST', '/files/detect-header', { options, data })).body

  it('is detected as in extraction, or taken from the request', async () => {
    const data = [
      ['Report', '', ''],
      ['', '', ''],
      ['person', '', 'address'],
      ['name', 'age', 'city'],
      ['Ada', '36', 'London'],
      ['Bob', '40', 'Rome'],
    ]
    expect((await detect({ algorithm: 'default' }, data.toSpliced(2, 1))).data).toEqual({
      header: ['name', 'age', 'city'],
      headerRow: 3,
      letters: ['A', 'B', 'C'],
    })
    expect((await detect({ algorithm: 'specificRows', rowNumbers: [2, 3] }, data)).data).toMatchObject({
      header: ['person name', 'age', 'address city'],
      headerRow: 4,
    })
    expect((await detect({ algorithm: 'explicitHeaders', headers: ['x', 'y'], skip: 1 }, data)).data).toEqual({
      header: ['x', 'y'],
      headerRow: 1,
      letters: ['A', 'B'],
    })
    const numbers = [
      ['1', '2020-01-01'],
      ['2', '2020-01-02'],
    ]
    expect((await detect({ algorithm: 'default' }, numbers)).data).toMatchObject({
      header: ['column 1', 'column 2'],
      headerRow: 0,
    })
    expect((await detect({ algorithm: 'specificRows' }, data)).errors[0].key).toBe('options.rowNumbers')
    expect((await detect({ algorithm: 'specificRows', rowNumbers: [9] }, data)).errors[0].message).toContain(
      'row 9 does not exist',
    )
  })
})

describe('an abandoned upload', () => {
  it('is removed after a day, and not before', async () => {
    const { file, upload } = await must('POST', '/files/uploads', { spaceId, name: 'late.bin', size: 3 })
    await fetch(upload.url, { method: 'PUT', body: 'abc' })
    await call('PATCH', `/files/${file.id}`, { name: 'later.bin' })
    const done = await must('POST', '/files/uploads', { spaceId, name: 'done.bin', size: 3 })
    await fetch(done.upload.url, { method: 'PUT', body: 'abc' })
    await call('POST', `/files/${done.file.id}/complete`)
    const { handler } = await import('../../functions/system/expire-resources.ts')
    const sweep = (hours: number) =>
      handler(
        {
          time: new Date(Date.parse(file.createdAt) + hours * 3_600_000).toISOString(),
          environmentId: account.environmentId,
        },
        { getRemainingTimeInMillis: () => 900_000 },
      )
    expect((await sweep(23)).uploads).toBe(0)
    expect((await must('GET', `/files/${file.id}`)).status).toBe('partial')
    expect((await sweep(25)).uploads).toBeGreaterThan(0)
    expect((await call('GET', `/files/${file.id}`)).status).toBe(404)
    expect((await eventsOf(file.id)).map(({ topic }) => topic)).toContain('file:deleted')
    const { headObject } = await import('../../lib/objects/store.ts')
    expect(await headObject(`arriving/${file.id}`)).toBeUndefined()
    expect((await must('GET', `/files/${done.file.id}`)).status).toBe('complete')
    expect((await sweep(25)).uploads).toBe(0)
  })
})

describe('a file', () => {
  it('in a space with a namespace emits its events in that namespace', async () => {
    const red = await spaceWithoutExtraction({ name: 'Red', namespace: 'red' })
    const { file, upload } = await must('POST', '/files/uploads', { spaceId: red, name: 'a.bin', size: 1 })
    await fetch(upload.url, { method: 'PUT', body: 'x' })
    await call('POST', `/files/${file.id}/complete`)
    await call('PATCH', `/files/${file.id}`, { name: 'b.bin' })
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

  it('with an invalid name is rejected, and one with an invalid media type is read by its name', async () => {
    const long = await post([
      ['spaceId', spaceId],
      ['mode', 'x'],
      ['file', randomBlob(1), 'n'.repeat(6000)],
    ])
    expect(long.status).toBe(400)
    expect(pluck(long.body.errors, 'key').sort()).toEqual(['file', 'mode'])
    const odd = await must('POST', '/files/uploads', { spaceId, name: 'a.csv', size: 1, mimetype: 'a\r\nb: c' })
    expect(odd.file.mimetype).toBe('text/csv')
  })

  it('is changed, and emits its status and workbook', async () => {
    const file = (await postFile(randomBlob(3), 'a.bin')).body.data
    const workbook = await must('POST', '/workbooks', { spaceId, name: 'w' })
    await call('PATCH', `/files/${file.id}`, { workbookId: workbook.id })
    await call('PATCH', `/files/${file.id}`, { workbookId: workbook.id })
    const complete = await must('PATCH', `/files/${file.id}`, { status: 'complete' })
    expect(complete).toEqual(await must('GET', `/files/${file.id}`))
    await call('PATCH', `/files/${file.id}`, { status: 'failed' })
    expect((await eventsOf(file.id)).slice(1)).toMatchObject([
      { topic: 'file:updated', payload: { status: 'complete', workbookId: workbook.id } },
      { topic: 'file:updated', payload: { status: 'complete', workbookId: workbook.id } },
      { topic: 'file:updated', payload: { status: 'failed', workbookId: workbook.id } },
    ])
    expect(await must('PATCH', `/files/${file.id}`, { name: 'b.psv' })).toMatchObject({
      name: 'b.psv',
      ext: 'psv',
    })
  })

  it('is deleted with its bytes', async () => {
    const file = (await postFile(randomBlob(3), 'a.bin')).body.data
    expect((await call('DELETE', `/files/${file.id}`)).body).toEqual({ data: { success: true } })
    expect((await download(file.id)).status).toBe(404)
    const { headObject } = await import('../../lib/objects/store.ts')
    expect(await headObject(`files/${account.environmentId}/${spaceId}/${file.id}`)).toBeUndefined()
    expect((await eventsOf(file.id)).map(({ topic }) => topic)).toEqual(['file:created', 'file:deleted'])
  })
})
