import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FlatfileClient } from '@flatfile/api'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { getServer } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'

let api: FlatfileClient

beforeAll(async () => {
  await createFreshAccount()
  process.env.FLATFILE_API_URL = getServer().baseUrl
  api = new FlatfileClient({ token: account.secretKey })
})

describe('@flatfile/api', () => {
  it('lists the environment of its key', async () => {
    const { data } = await api.environments.list()
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      id: account.environmentId,
      name: 'development',
      isProd: false,
      guestAuthentication: ['shared_link'],
    })
  })

  it('uploads a file', async () => {
    const { data: space } = await api.spaces.create({ name: 'Files' })
    const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'people.txt')
    writeFileSync(path, 'name\nAda\n')
    const { data: file } = await api.files.upload(createReadStream(path), {
      spaceId: space.id,
      environmentId: account.environmentId,
    })
    expect(file).toMatchObject({ name: 'people.txt', ext: 'txt', size: 9, spaceId: space.id })
    expect((await api.files.get(file.id)).data.id).toBe(file.id)
  })

  it('gets a typed error for a missing resource', async () => {
    await expect(api.spaces.get('us_sp_nothing')).rejects.toMatchObject({
      statusCode: 404,
      body: { errors: [{ message: expect.any(String) }] },
    })
  })
})
