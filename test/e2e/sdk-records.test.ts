import { Flatfile, FlatfileClient } from '@flatfile/api'
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

  it('changes many records in one request', async () => {
    await api.records.bulkUpdate(sheetId, { ids: [ids[1]!], fieldUpdates: { country: { value: 'FR' } } })
    await api.records.findAndReplace(sheetId, { fieldKey: 'name', find: 'bo', replace: 'Ro' })
    const { data } = await api.records.get(sheetId, { sortField: 'age', sortDirection: 'asc' })
    expect(data.records.map(({ values }) => [values.name!.value, values.country!.value])).toEqual([
      ['Rob', 'FR'],
      ['Ada', 'GB'],
    ])
  })

  it('reads positions, values, calculations and CSV', async () => {
    expect(await api.records.indices(sheetId, { ids: [ids[1]!], sortField: 'age' })).toEqual([{ id: ids[1], index: 0 }])
    const { data: cells } = await api.sheets.getCellValues(sheetId, { fieldKey: 'country', distinct: true })
    expect(cells.country!.map(({ value }) => value).sort()).toEqual(['GB', 'XX'])
    const { data: calculations } = await api.sheets.getCalculations(sheetId)
    expect(calculations.find(({ fieldKey, type }) => fieldKey === 'age' && type === 'SUM')!.value).toBe(43)
    const chunks: Buffer[] = []
    for await (const chunk of await api.sheets.getRecordsAsCsv(sheetId)) chunks.push(Buffer.from(chunk as Uint8Array))
    expect(Buffer.concat(chunks).toString()).toBe('name,age,country\r\nAda,36,GB\r\nBob,7,XX\r\n')
    expect((await api.sheets.validate(sheetId)).data).toEqual({ success: true })
  })

  it('takes and restores snapshots', async () => {
    const { data: snapshot } = await api.snapshots.createSnapshot({ sheetId, label: 'Before' })
    expect(snapshot.createdAt).toBeInstanceOf(Date)
    await api.records.delete(sheetId, { ids: [ids[0]!] })
    const { data: seen } = await api.snapshots.getSnapshot(snapshot.id, { includeSummary: true })
    expect(seen.summary).toMatchObject({ deletedSince: { total: 1 }, schemaDiff: { name: 'unchanged' } })
    const { data: gone } = await api.snapshots.getSnapshotRecords(snapshot.id, {
      changeType: Flatfile.ChangeType.DeletedSince,
    })
    expect(gone[0]!.values.name!.snapshotValue).toBe('Ada')
    await api.snapshots.restoreSnapshot(snapshot.id)
    expect((await api.records.get(sheetId)).data.records.map(({ id }) => id)).toEqual(ids)
    expect((await api.snapshots.listSnapshots({ sheetId })).data).toHaveLength(1)
    await api.snapshots.deleteSnapshot(snapshot.id)
    expect((await api.snapshots.listSnapshots({ sheetId })).data).toEqual([])
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

  it('duplicates a sheet and lists commits', async () => {
    const { data: copy } = await api.sheets.duplicateSheet(sheetId, { name: 'Copy' })
    expect((await api.records.get(copy.id)).data.records).toHaveLength(2)
    const { data: commits } = await api.sheets.getSheetCommits(sheetId)
    expect((await api.commits.replay(commits[0]!.id)).data).toEqual({ success: true })
    expect((await api.versions.createId({ sheetId })).data.versionId).toBe(commits[0]!.id)
  })
})
