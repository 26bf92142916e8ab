import { createHash } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents, waitForFileJob } from '../support/activity.ts'
import { createCaller, getServer, pluck, waitUntil } from '../support/api.ts'
import { readWorkbookFile } from '../support/corpus-workbooks.ts'
import { account, call, createFreshSpace, environmentId, must, spaceId } from '../support/fresh-account.ts'
import { FILE_PASSWORD, patchProtected, readProtected } from '../support/protected-workbooks.ts'
import { findLeftovers } from '../support/scan-for-secrets.ts'
import { uploadFile } from '../support/upload.ts'

beforeAll(() => createFreshSpace({ name: 'Unlock' }))

const AGILE = 'agile-sha1-aes128.xlsx'
const fileOf = (id: string) => must('GET', `/files/${id}`)

async function uploadProtected(name = AGILE, bytes: Buffer = readProtected(name)): Promise<string> {
  const fileId = await uploadFile(account, spaceId, name, bytes)
  await waitForFileJob(fileId)
  return fileId
}

const unlock = (fileId: string, password: unknown = FILE_PASSWORD, by = call) =>
  by('POST', `/files/${fileId}/unlock`, { password })

async function scanTable(): Promise<string> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }))
  const pages: string[] = []
  let from: Record<string, unknown> | undefined
  do {
    const page = await client.send(new ScanCommand({ TableName: process.env.TABLE_NAME!, ExclusiveStartKey: from }))
    pages.push(JSON.stringify(page.Items))
    from = page.LastEvaluatedKey
  } while (from)
  return pages.join('\n')
}

describe('POST /files/{fileId}/unlock', () => {
  it.each([AGILE, 'libreoffice-standard.xlsx', 'libreoffice-rc4.xls', 'libreoffice-aes256.ods'])(
    'decrypts and extracts a workbook like an upload: %s',
    async (name) => {
      const fileId = await uploadProtected(name)
      expect(await fileOf(fileId)).toMatchObject({
        status: 'failed',
        passwordRequired: true,
        statusReason: `${name}: The workbook is protected by a password. Unlock it with its password.`,
      })
      const { status, body } = await unlock(fileId)
      expect([status, body.data.status, body.data.passwordRequired]).toEqual([200, 'complete', undefined])
      expect(await waitForFileJob(fileId, 2)).toMatchObject({ status: 'completed' })
      const file = await fileOf(fileId)
      const { sheets } = await must('GET', `/workbooks/${file.workbookId}`)
      const { records } = await must('GET', `/sheets/${sheets[0].id}/records`)
      expect(records.map(({ values }: { values: { name: { value: string } } }) => values.name.value)).toEqual([
        'Ada',
        'Blæs',
        'Łódź',
      ])
      const topics = pluck(await findEvents('', { fileId }), 'topic')
      for (const topic of ['file:updated', 'job:created', 'job:completed']) expect(topics).toContain(topic)
      expect((await call('GET', `/files/${fileId}/preview`)).body.data).toMatchObject({ kind: 'workbook' })
      const download = await fetch(`${getServer().baseUrl}/v1/files/${fileId}/download`, {
        headers: { authorization: `Bearer ${account.secretKey}` },
      })
      const bytes = Buffer.from(await download.arrayBuffer())
      const signature = name.endsWith('.xls') ? '\xd0\xcf' : 'PK'
      expect([bytes.length, bytes.toString('latin1', 0, 2)]).toEqual([file.size, signature])
      expect((await unlock(fileId)).status).toBe(409)
    },
  )

  it('changes nothing for a wrong password, and throttles attempts per file', async () => {
    const [fileId, otherId] = [await uploadProtected(), await uploadProtected()]
    const before = await fileOf(fileId)
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await unlock(fileId, 'harbour')).toMatchObject({
        status: 422,
        body: { errors: [{ key: 'password', message: 'The password is wrong.' }] },
      })
    const slowed = await unlock(fileId, 'harbour')
    expect([slowed.status, Number(slowed.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await unlock(fileId)).status).toBe(429)
    expect(await fileOf(fileId)).toEqual(before)
    expect((await must('GET', `/jobs?fileId=${fileId}`)).length).toBe(1)
    expect((await unlock(otherId)).status).toBe(200)
  })

  it('stores no trace of the password', async () => {
    const password = 'moored-at-quay-7731'
    const fileId = await uploadProtected()
    const headers = { 'idempotency-key': `unlock-${fileId}` }
    expect((await call('POST', `/files/${fileId}/unlock`, { password }, headers)).status).toBe(422)
    expect((await call('POST', `/files/${fileId}/unlock`, { password: FILE_PASSWORD }, headers)).status).toBe(200)
    const repeated = await call('POST', `/files/${fileId}/unlock`, { password: FILE_PASSWORD }, headers)
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect((await call('POST', `/files/${fileId}/unlock`, { password }, headers)).status).toBe(422)
    await waitForFileJob(fileId, 2)
    const stored = await scanTable()
    expect(stored).toContain(fileId)
    const path = `/api/v1/files/${fileId}/unlock`
    const plainHash = createHash('sha256').update(JSON.stringify(['POST', path, '']))
    const fingerprint = plainHash.update(JSON.stringify({ password: FILE_PASSWORD })).digest('base64url')
    for (const secret of [password, FILE_PASSWORD, fingerprint]) expect(stored).not.toContain(secret)
  })

  it.each([
    ['a workbook without a password', 409, 'exceljs.xlsx', () => readWorkbookFile('exceljs.xlsx'), /not a workbook/],
    ['an old workbook', 409, 'old.xls', () => readWorkbookFile('libreoffice-people.xls'), /not a workbook that is/],
    ['text', 409, 'a.csv', () => Buffer.from('a,b\n1,2\n'), /not a workbook that is/],
    [
      'too many rounds',
      422,
      'a.xlsx',
      () => patchProtected(AGILE, 'spinCount="10000"', 'spinCount="60e04"'),
      /600,000/,
    ],
    ['a cut file', 422, 'cut.xlsx', () => readProtected(AGILE).subarray(0, 5000), /damaged/],
  ])('refuses %s and changes nothing', async (_, expected, name, bytes, refusal) => {
    const fileId = await uploadProtected(name, bytes())
    const before = await fileOf(fileId)
    const { status, body } = await unlock(fileId)
    expect([status, body.errors[0].message]).toEqual([expected, expect.stringMatching(refusal)])
    expect(await fileOf(fileId)).toEqual(before)
  })

  it('refuses an invalid password and a file that is still uploading', async () => {
    const fileId = await uploadProtected()
    for (const password of ['', 'x'.repeat(256), 7, undefined, null])
      expect((await call('POST', `/files/${fileId}/unlock`, { password })).status).toBe(400)
    const { file } = await must('POST', '/files/uploads', { spaceId, name: 'a.xlsx', size: 5 })
    expect((await unlock(file.id)).status).toBe(409)
  })

  it('creates no job where listeners extract', async () => {
    const space = await must('POST', '/spaces', { environmentId, name: 'L', settings: { extraction: 'listener' } })
    const fileId = await uploadFile(account, space.id, AGILE, readProtected(AGILE))
    expect((await unlock(fileId)).body.data).toMatchObject({ status: 'complete' })
    expect(await must('GET', `/jobs?fileId=${fileId}`)).toEqual([])
  })

  it('can run only once at a time', async () => {
    const fileId = await uploadProtected()
    const statuses = (await Promise.all([unlock(fileId), unlock(fileId), unlock(fileId)])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    for (const status of statuses) expect([200, 409, 422, 429]).toContain(status)
    expect(await waitForFileJob(fileId, 2)).toMatchObject({ status: 'completed' })
  })

  it('leaves no bytes behind when the file is deleted', async () => {
    const fileId = await uploadProtected()
    const listKeys = async () => (await findLeftovers((text) => text.includes(fileId))).objects
    expect(await listKeys()).toEqual([expect.not.stringContaining('unlocked')])
    expect((await unlock(fileId)).status).toBe(200)
    expect(await listKeys()).toEqual([expect.stringContaining('.unlocked')])
    await waitForFileJob(fileId, 2)
    await must('DELETE', `/files/${fileId}`)
    await waitUntil(async () => (await listKeys()).length === 0)
  })

  it('is for guests of the space only', async () => {
    const fileId = await uploadProtected()
    const { id: elsewhereId } = await must('POST', '/spaces', { environmentId, name: 'Elsewhere' })
    const guest = async (space: string) => {
      const [{ id }] = await must('POST', '/guests', [
        { environmentId, email: `${space}@example.com`, name: 'Guest', spaces: [{ id: space }] },
      ])
      return createCaller((await must('GET', `/guests/${id}/token?spaceId=${space}`)).token)
    }
    expect((await unlock(fileId, FILE_PASSWORD, await guest(elsewhereId))).status).toBe(404)
    expect((await unlock(fileId, FILE_PASSWORD, await guest(spaceId))).status).toBe(200)
  })
})
