import { FlatfileClient } from '@flatfile/api'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestAccount, getServer } from '../support/api.ts'

let api: FlatfileClient
let spaceId: string
let sheetId: string
let ids: string[]

beforeAll(async () => {
  const account = await createTestAccount()
  process.env.FLATFILE_API_URL = getServer().baseUrl
  api = new FlatfileClient({ token: account.secretKey })
  spaceId = (await api.spaces.create({ name: 'SDK records' })).data.id
})
beforeEach(async () => {
  const { data: workbook } = await api.workbooks.create({
    name: 'w',
    spaceId,
    sheets: [
      {
        name: 'Countries',
        slug: 'countries',
        fields: [{ key: 'code', type: 'string', constraints: [{ type: 'unique' }] }],
      },
      {
        name: 'People',
        slug: 'people',
        fields: [
          { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
          { key: 'age', type: 'number' },
          { key: 'country', type: 'reference', config: { ref: 'countries', key: 'code' } },
        ],
      },
    ],
  })
  const [countries, people] = workbook.sheets!
  await api.records.insert(countries!.id, [{ code: { value: 'GB' } }, { code: { value: 'FR' } }])
  sheetId = people!.id
  const { data } = await api.records.insert(sheetId, [
    { name: { value: 'Ada' }, age: { value: 36 }, country: { value: 'GB' } },
    { name: { value: 'Bob' }, age: { value: 7 }, country: { value: 'XX' } },
  ])
  ids = data.records!.map(({ id }) => id)
})

describe('@flatfile/api on records', () => {
  it('reads links and unlinked records', async () => {
    const { data } = await api.records.get(sheetId, { includeLinks: true, includeMessages: true })
    const cells = data.records.map(({ values }) => values.country!)
    expect(cells[0]!.links![0]!.values.code!.value).toBe('GB')
    expect(cells[1]).toMatchObject({ valid: false, links: [], messages: [{ source: 'unlinked', type: 'error' }] })
    expect((await api.sheets.getRecordCounts(sheetId)).data.counts).toMatchObject({ total: 2, valid: 1, error: 1 })
  })

  it('writes and reads JSON lines, in full and as streams', async () => {
    const { v2 } = api.records
    const written = await v2.writeRaw(
      [
        { name: 'Eve', age: 1 },
        { __k: ids[0]!, age: 37 },
      ],
      { sheetId },
    )
    expect(written).toMatchObject({ success: true, created: 1, updated: 1 })
    async function* rows() {
      for (let age = 2; age < 5; age++) yield { __s: sheetId, name: `Person ${age}`, age }
    }
    expect(await v2.writeRawStreaming(rows(), { sheetId })).toMatchObject({ success: true, created: 3 })
    const raw = await v2.getRaw(sheetId, { fields: ['name', 'age'] }, {})
    expect(raw.map(({ age }) => age)).toEqual([37, 7, 1, 2, 3, 4])
    const streamed: unknown[] = []
    for await (const { __k, __u, name } of v2.getRawStreaming(sheetId, { includeTimestamps: true, filter: 'error' }))
      streamed.push([__k, Number.isNaN(Date.parse(String(__u))), name])
    expect(streamed).toEqual([[ids[1], false, 'Bob']])
  })
})
