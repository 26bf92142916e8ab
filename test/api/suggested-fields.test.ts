import type { Flatfile } from '@flatfile/api'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForFileJob } from '../support/activity.ts'
import { createCaller, createTestAccount } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'
import { uploadFile } from '../support/upload.ts'

const STATES = ['active', 'gone', 'new']
const ROWS = Array.from(
  { length: 60 },
  (_, i) => `Ada ${i},ada${i}@example.com,${i % 9},${STATES[i % 3]},0${1 + (i % 9)}.12.2020`,
)
const CSV = `Name,E-Mail,Visits,State,Since\n${ROWS.join('\n')}\n`

let sheetId: string

const toSdkField = ({ field }: { field: { constraints: { type: string }[] } }) =>
  ({
    ...field,
    constraints: field.constraints.map(({ type }) =>
      type === 'email' ? { type: 'external', validator: 'rule:email' } : { type },
    ),
  }) as unknown as Flatfile.Property

beforeAll(async () => {
  await createFreshSpace({ name: 'Samples' })
  const fileId = await uploadFile(account, spaceId, 'people.csv', CSV)
  await waitForFileJob(fileId)
  const { data: file } = await api.files.get(fileId)
  const { data: workbook } = await api.workbooks.get(file.workbookId!)
  sheetId = workbook.sheets![0]!.id
})

const suggest = async () => must('GET', `/sheets/${sheetId}/suggested-fields`)
const check = async (body: object) => call('POST', `/sheets/${sheetId}/check-fields`, body)

describe('GET /sheets/{sheetId}/suggested-fields', () => {
  it('suggests fields with reasons, of which the SDK makes a workbook that fits the file', async () => {
    const { records, fields } = await suggest()
    expect(records).toBe(60)
    expect(fields.map(({ field }: { field: Flatfile.Property }) => [field.key, field.type])).toEqual([
      ['name', 'string'],
      ['e_mail', 'string'],
      ['visits', 'number'],
      ['state', 'enum'],
      ['since', 'date'],
    ])
    expect(fields[3].reasons).toEqual(['3 different values in 60 rows', 'Never empty in 60 rows'])
    const { data: workbook } = await api.workbooks.create({
      spaceId,
      environmentId: account.environmentId,
      name: 'People',
      sheets: [{ name: 'People', slug: 'people', fields: fields.map(toSdkField) }],
    })
    expect(workbook.sheets![0]!.config.fields).toHaveLength(5)
    const columns = Object.fromEntries(
      fields.map(({ field, column }: { field: { key: string }; column: string }) => [field.key, column]),
    )
    const checked = await check({ fields: fields.map(({ field }: { field: unknown }) => field), columns })
    expect(checked.body.data).toEqual({ records: 60, recordsWithErrors: 0, problems: [] })
  })

  it('hides the sheet of another account', async () => {
    const other = createCaller((await createTestAccount()).secretKey)
    expect((await other('GET', `/sheets/${sheetId}/suggested-fields`)).status).toBe(404)
    expect((await other('POST', `/sheets/${sheetId}/check-fields`, { fields: [] })).status).toBe(404)
  })
})

describe('POST /sheets/{sheetId}/check-fields', () => {
  it('counts the problems of each rule with examples, and the records that have errors', async () => {
    const [name, email, visits, state] = (await suggest()).fields.map(({ column }: { column: string }) => column)
    const fields = [
      { key: 'name', type: 'string', constraints: [{ type: 'length', config: { max: 5 } }] },
      { key: 'mail', type: 'number' },
      { key: 'visits', type: 'number', constraints: [{ type: 'range', config: { lte: 6 } }] },
      { key: 'state', type: 'string', constraints: [{ type: 'unique' }] },
    ]
    const constraints = [{ type: 'rule', config: { when: 'visits eq 0', field: 'visits', message: 'Never here' } }]
    const columns = { name, mail: email, visits, state }
    const { data } = (await check({ fields: fields.filter(({ key }) => key !== 'mail'), constraints, columns })).body
    expect(data.recordsWithErrors).toBe(60)
    expect(data.problems.map(({ field, count }: { field: string; count: number }) => [field, count])).toEqual([
      ['state', 60],
      ['name', 50],
      ['visits', 12],
      ['visits', 7],
    ])
    expect(data.problems[2]).toMatchObject({ type: 'error', examples: [7, 8] })
    expect(data.problems[3]).toMatchObject({ message: 'Never here' })
    const unread = (await check({ fields, columns })).body.data.problems.find(
      ({ field }: { field: string }) => field === 'mail',
    )
    expect(unread).toMatchObject({ count: 60, examples: ['ada0@example.com', 'ada1@example.com', 'ada2@example.com'] })
  })

  it('compares references with a column of another sheet, read as its field, and hides that of another account', async () => {
    const fields = [{ key: 'visits', type: 'reference', config: { ref: 'levels', key: 'level' } }]
    const createLevels = async (by: typeof call, environmentId: string) => {
      const { data: space } = (await by('POST', '/spaces', { name: 'Levels', environmentId })).body
      const level = { key: 'Level', type: 'string' }
      const sheets = [{ name: 'Levels', slug: 'levels', fields: [level] }]
      const { data: workbook } = (await by('POST', '/workbooks', { spaceId: space.id, name: 'Levels', sheets })).body
      const values = [1, 2, 3, 4, 5].map((value) => ({ Level: `${value},0` }))
      await by('POST', `/sheets/${workbook.sheets[0].id}/records`, values)
      return workbook.sheets[0].id as string
    }
    const column = (await suggest()).fields[2].column
    const checkWith = (levels: string) =>
      check({
        fields,
        columns: { visits: column },
        references: [{ field: 'visits', sheetId: levels, column: 'Level', as: { key: 'level', type: 'number' } }],
      })
    const { data } = (await checkWith(await createLevels(call, account.environmentId))).body
    expect(data).toMatchObject({ recordsWithErrors: 25, problems: [{ field: 'visits', type: 'error', count: 25 }] })
    const other = await createTestAccount()
    const hidden = await createLevels(createCaller(other.secretKey), other.environmentId)
    expect((await checkWith(hidden)).status).toBe(404)
  })

  it('names the rules that are invalid', async () => {
    const fields = [{ key: 'name', type: 'string', constraints: [{ type: 'pattern', config: { pattern: '(' } }] }]
    const { status, body } = await check({ fields })
    expect([status, body.errors[0].key]).toEqual([400, 'fields.0.constraints.0.config.pattern'])
  })
})
