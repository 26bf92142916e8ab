/** Rules of fields and sheets over HTTP and the public SDK. */
import { FlatfileClient } from '@flatfile/api'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { getServer } from '../support/api.ts'
import { account, admin, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'

let api: FlatfileClient

beforeAll(async () => {
  await createFreshSpace({ name: 'Rules' })
  process.env.FLATFILE_API_URL = getServer().baseUrl
  api = new FlatfileClient({ token: account.secretKey })
})

type Values = Record<string, unknown>

const rule = (type: string, config: object = {}) => ({ type, config })
const fields = [
  { key: 'code', type: 'string', constraints: [rule('pattern', { pattern: '^[A-Z]{2}\\d+$' })] },
  { key: 'name', type: 'string', label: 'Full name', constraints: [rule('length', { min: 2, max: 5 })] },
  { key: 'amount', type: 'number', constraints: [rule('range', { gte: 0, lt: 100 })] },
  { key: 'start', type: 'date', constraints: [rule('range', { gt: '2020-01-01' })] },
  { key: 'end', type: 'date' },
  { key: 'unit', type: 'string', constraints: [rule('oneOf', { values: ['kg', 'lb'], ignoreCase: true })] },
  { key: 'email', type: 'string', constraints: [rule('email')] },
  { key: 'country', type: 'string' },
  { key: 'phone', type: 'string', constraints: [rule('phone', { countryField: 'country' })] },
  { key: 'site', type: 'string', constraints: [rule('url', { level: 'warn' })] },
  { key: 'id', type: 'string', constraints: [rule('uuid', { message: 'Use the id of the shop' })] },
]
const constraints = [
  rule('required-with', { field: 'unit', with: ['amount'] }),
  rule('required-if', { field: 'email', when: 'country eq DE' }),
  rule('compare', { field: 'start', operator: 'lt', other: 'end' }),
  rule('rule', { when: 'amount gt 50 and country ne DE', message: 'Too much', field: 'amount', level: 'info' }),
]
const good: Values = {
  code: 'AB1',
  name: 'Ada',
  amount: 5,
  start: '2020-02-01',
  end: '2020-03-01',
  unit: 'KG',
  email: 'ada@example.com',
  country: 'DE',
  phone: '030 123456',
  site: 'https://example.com',
  id: '01234567-89ab-cdef-0123-456789abcdef',
}

const createWorkbook = (sheet: object) =>
  must('POST', '/workbooks', { spaceId, name: 'Rules', sheets: [{ name: 'Orders', slug: 'orders', ...sheet }] })
const createSheet = async (sheet: object = { fields, constraints }): Promise<string> =>
  (await createWorkbook(sheet)).sheets[0].id

/** `key: message (level)` of each message, and whether the record is valid. */
async function readMessages(sheetId: string): Promise<[string[], boolean][]> {
  const { records } = (await call('GET', `/sheets/${sheetId}/records`)).body.data
  return records.map(({ values, valid }: { values: Record<string, { messages: Values[] }>; valid: boolean }) => [
    Object.entries(values).flatMap(([key, cell]) =>
      cell.messages.map(({ message, type }) => `${key}: ${message}${type === 'error' ? '' : ` (${type})`}`),
    ),
    valid,
  ])
}

const BAD: [Values, string[]][] = [
  [{ code: 'A1' }, ['code: This value does not have the required format']],
  [{ name: 'A' }, ['name: This value must have at least 2 characters']],
  [{ name: 'Ada Lovelace' }, ['name: This value can have at most 5 characters']],
  [{ amount: 100 }, ['amount: This value must be less than 100']],
  [
    { amount: 'many' },
    ['amount: This value is not a number: use only digits, a decimal point and a minus sign, such as -1234.5'],
  ],
  [{ start: '2020-01-01' }, ['start: This value must be greater than 2020-01-01']],
  [{ end: '2020-02-01' }, ['start: This value must be less than end']],
  [{ unit: 'st' }, ['unit: This value is not one of the allowed values']],
  [{ unit: null }, ['unit: This field is required with amount']],
  [{ email: 'ada' }, ['email: This value is not an email address']],
  [{ email: null }, ['email: This field is required for this record']],
  [
    { country: 'US' },
    [
      'phone: This value is not a valid phone number: start with the country, such as +1, or use the form of the country',
    ],
  ],
  [{ country: 'US', phone: '+49 30 123456' }, []],
  [{ country: 'AT', amount: 60, phone: null }, ['amount: Too much (info)']],
  [{ site: 'example' }, ['site: This value is not a web address: use the form https://example.com (warn)']],
  [{ id: '1' }, ['id: Use the id of the shop']],
]

describe('a sheet with rules', () => {
  it('reports what a record breaks, as it is inserted and edited', async () => {
    const sheetId = await createSheet()
    await must('POST', `/sheets/${sheetId}/records`, [good, ...BAD.map(([values]) => ({ ...good, ...values }))])
    const expected = BAD.map(([, messages]) => [messages, messages.every((text) => /\((warn|info)\)$/.test(text))])
    expect(await readMessages(sheetId)).toEqual([[[], true], ...expected])

    const { records } = (await call('GET', `/sheets/${sheetId}/records`)).body.data
    const values = Object.fromEntries(Object.entries(good).map(([key, value]) => [key, { value }]))
    await must(
      'PUT',
      `/sheets/${sheetId}/records`,
      records.map(({ id }: { id: string }) => ({ id, values })),
    )
    expect(await readMessages(sheetId)).toEqual(records.map(() => [[], true]))

    const other = { id: records[0].id, values: { end: { value: '2020-01-15' } } }
    await must('PUT', `/sheets/${sheetId}/records`, [other])
    expect((await readMessages(sheetId))[0]).toEqual([['start: This value must be less than end'], false])
    expect(
      (await call('GET', `/sheets/${sheetId}/records?filter=error&q=start is error`)).body.data.records,
    ).toHaveLength(1)
  })

  it('validates all records again when its rules change', async () => {
    const workbook = await createWorkbook({ fields, constraints: [] })
    const sheetId = workbook.sheets[0].id
    await must('POST', `/sheets/${sheetId}/records`, [{ ...good, end: '2020-01-15', name: 'Ada Lovelace' }])
    expect(await readMessages(sheetId)).toEqual([[['name: This value can have at most 5 characters'], false]])
    const wider = fields.map((field) =>
      field.key === 'name' ? { ...field, constraints: [rule('length', { max: 50 })] } : field,
    )
    const update = (sheet: object) =>
      must('PATCH', `/workbooks/${workbook.id}`, { sheets: [{ id: sheetId, slug: 'orders', ...sheet }] })
    await update({ fields: wider, constraints: [rule('compare', { field: 'end', operator: 'gt', other: 'start' })] })
    expect(await readMessages(sheetId)).toEqual([[['end: This value must be greater than start'], false]])
    await update({ constraints: [rule('rule', { when: 'name ilike "%love%"', message: 'No love' })] })
    expect(await readMessages(sheetId)).toEqual([[['name: No love'], false]])
    await update({ constraints: [] })
    expect(await readMessages(sheetId)).toEqual([[[], true]])
  })

  it('validates what mappings and bulk changes write', async () => {
    const source = await createWorkbook({
      fields: ['Code', 'Amount', 'Unit'].map((key) => ({ key, type: 'string' })),
    })
    await must('POST', `/sheets/${source.sheets[0].id}/records`, [
      { Code: 'AB1', Amount: '7', Unit: 'kg' },
      { Code: 'x', Amount: '700', Unit: '' },
    ])
    const target = await createWorkbook({ fields, constraints })
    const sheetId = target.sheets[0].id
    const { id } = await must('POST', '/jobs', {
      ...{ type: 'workbook', operation: 'map', source: source.id, destination: target.id, managed: true },
      config: { sourceSheetId: source.sheets[0].id, destinationSheetId: sheetId },
    })
    await must('POST', `/jobs/${id}/execute`, {})
    expect((await waitForJob(id)).status).toBe('completed')
    expect(await readMessages(sheetId)).toEqual([
      [[], true],
      [
        [
          'code: This value does not have the required format',
          'amount: This value must be less than 100',
          'amount: Too much (info)',
          'unit: This field is required with amount',
        ],
        false,
      ],
    ])
    await must('PATCH', `/sheets/${sheetId}/records/bulk-update`, { fieldUpdates: { unit: { value: 'st' } } })
    expect((await readMessages(sheetId)).map(([messages]) => messages.at(-1))).toEqual([
      'unit: This value is not one of the allowed values',
      'unit: This value is not one of the allowed values',
    ])
  })

  it('is read by the public SDK', async () => {
    const { data: read } = await api.sheets.get(await createSheet())
    expect(read.config.fields.map((field) => field.constraints ?? [])).toEqual(
      fields.map((field) => field.constraints ?? []),
    )
    expect(read.config.constraints).toEqual(constraints)
  })

  it('is created by the public SDK, which knows rules as external constraints', async () => {
    const toExternal = ({ type, config }: { type: string; config: object }) => ({
      ...{ type: 'external' as const, validator: `rule:${type}`, config },
    })
    const own = { type: 'external' as const, validator: 'pattern', config: { pattern: '(' }, label: 'Ours' }
    const sheet = {
      ...{ name: 'SDK', slug: 'sdk' },
      fields: fields.map((field) => ({ ...field, constraints: [...(field.constraints ?? []).map(toExternal), own] })),
      constraints: [...constraints.map(toExternal), { ...own, label: undefined }],
    }
    const { data } = await api.workbooks.create({ name: 'SDK', spaceId, sheets: [sheet as never] })
    const { id, config } = data.sheets![0]!
    expect(config.fields[0]!.constraints).toEqual(sheet.fields[0]!.constraints)
    await api.records.insert(id, [
      { code: { value: 'wrong' }, start: { value: '2021-02-02' }, end: { value: '2020-02-02' } },
    ])
    const { data: page } = await api.records.get(id, { includeMessages: true })
    const { code, start, end } = page.records[0]!.values
    expect(code!.messages).toMatchObject([{ source: 'rule-constraint', type: 'error' }])
    expect(start!.messages).toMatchObject([{ source: 'rule-constraint', message: 'This value must be less than end' }])
    expect(end!.messages).toEqual([])

    const wrong = ['rule:emial', 'rule:length', 'rule:pattern'].map((validator) => ({ ...own, validator }))
    const bad = { name: 'Bad', fields: [{ key: 'a', type: 'string', constraints: wrong }] }
    const rejected = await call('POST', '/workbooks', { spaceId, name: 'w', sheets: [bad] })
    expect(rejected.body.errors.map(({ key }: { key: string }) => key)).toEqual([
      'sheets.0.fields.0.constraints.0.validator',
      'sheets.0.fields.0.constraints.1.config',
      'sheets.0.fields.0.constraints.2.config.pattern',
    ])
  })
})

describe('a configuration with bad rules', () => {
  const bad = {
    fields: [
      { key: 'a', type: 'string', constraints: [rule('pattern', { pattern: 'a(' }), rule('range', { gte: 1 })] },
      { key: 'b', type: 'number', constraints: [rule('range', { gte: 'x' }), rule('range', { gt: 3, lt: 3 })] },
      {
        key: 'c',
        type: 'date',
        constraints: [rule('range', { lt: '2020-02-30' }), rule('length', { min: 3, max: 2 })],
      },
      { key: 'd', type: 'string', constraints: [rule('length'), rule('phone', { country: 'XX' })] },
      { key: 'e', type: 'string-list', constraints: [rule('phone', { countryField: 'e' })] },
      { key: 'f', type: 'string', constraints: [rule('pattern', { pattern: '\\w{500}\\w{501}' })] },
    ],
    constraints: [
      rule('required-with', { field: 'a', with: ['a', 'z'] }),
      rule('required-if', { field: 'y', when: 'a is error' }),
      rule('compare', { field: 'a', operator: 'lt', other: 'b' }),
      rule('compare', { field: 'a', operator: 'lt', other: 'e' }),
      rule('rule', { when: 'a eq', message: 'x' }),
      rule('rule', { when: 'eq 5', message: 'x' }),
    ],
  }
  const KEYS = [
    'fields.0.constraints.0.config.pattern',
    'fields.0.constraints.1.config',
    'fields.1.constraints.0.config.gte',
    'fields.1.constraints.1.config',
    'fields.2.constraints.0.config.lt',
    'fields.2.constraints.1.config',
    'fields.3.constraints.0.config',
    'fields.3.constraints.1.config.country',
    'fields.4.constraints.0.config.countryField',
    'fields.5.constraints.0.config.pattern',
    'constraints.0.config.with.0',
    'constraints.0.config.with.1',
    'constraints.1.config.field',
    'constraints.1.config.when',
    'constraints.2.config',
    'constraints.3.config',
    'constraints.4.config.when',
    'constraints.5.config.when',
  ]
  const toKeys = ({ errors }: { errors: { key: string; message: string }[] }): string[] => {
    for (const { message } of errors) expect(message).toMatch(/\S/)
    return errors.map(({ key }) => key)
  }

  it('is rejected with all problems when a workbook is created, updated or preset', async () => {
    const sheets = [
      { name: 'Fine', fields: [{ key: 'a', type: 'string' }] },
      { name: 'Bad', ...bad },
    ]
    const created = await call('POST', '/workbooks', { spaceId, name: 'w', sheets })
    expect(created.status).toBe(400)
    expect(toKeys(created.body)).toEqual(KEYS.map((key) => `sheets.1.${key}`))

    const workbook = await createWorkbook({ fields })
    const updated = await call('PATCH', `/workbooks/${workbook.id}`, { sheets: [{ slug: 'orders', ...bad }] })
    expect(updated.status).toBe(400)
    expect(toKeys(updated.body)).toEqual(KEYS.map((key) => `sheets.0.${key}`))
    expect((await call('GET', `/workbooks/${workbook.id}`)).body.data.sheets[0].config.fields).toHaveLength(
      fields.length,
    )

    const preset = { workbooks: [{ name: 'w', sheets }] }
    const autobuild = await admin('POST', `/environments/${account.environmentId}/autobuilds`, preset)
    expect(autobuild.status).toBe(400)
    expect(toKeys(autobuild.body)).toEqual(KEYS.map((key) => `workbooks.0.sheets.1.${key}`))
  })

  it('is rejected with all shapes that are wrong', async () => {
    const shapes = {
      fields: [
        { key: 'a', type: 'string', constraints: [rule('pattern', { pattern: 'x'.repeat(501) }), rule('oneOf')] },
        { key: 'b', type: 'string', constraints: [rule('length', { min: -1, level: 'fatal' })] },
      ],
      constraints: [rule('compare', { field: 'a', operator: '~', other: 'b' }), rule('rule', { when: 'a eq 1' })],
    }
    const { status, body } = await call('POST', '/workbooks', {
      spaceId,
      name: 'w',
      sheets: [{ name: 'S', ...shapes }],
    })
    expect(status).toBe(400)
    expect(toKeys(body)).toEqual([
      'sheets.0.fields.0.constraints.0.config.pattern',
      'sheets.0.fields.0.constraints.1.config.values',
      'sheets.0.fields.1.constraints.0.config.min',
      'sheets.0.fields.1.constraints.0.config.level',
      'sheets.0.constraints.0.config.operator',
      'sheets.0.constraints.1.config.message',
    ])
  })

  it('is rejected when a field is added, or a field that a rule names is removed', async () => {
    const sheetId = await createSheet()
    const added = await call('POST', `/sheets/${sheetId}/fields`, {
      ...{ key: 'more', type: 'string', constraints: [rule('pattern', { pattern: '[' })] },
    })
    expect(added.status).toBe(400)
    expect(toKeys(added.body)).toEqual(['constraints.0.config.pattern'])
    const removed = await call('DELETE', `/sheets/${sheetId}/fields/end`)
    expect(removed.status).toBe(400)
    expect(removed.body.errors).toEqual([
      { key: 'constraints.2.config.other', message: 'The sheet has no field "end".' },
    ])
    expect((await call('DELETE', `/sheets/${sheetId}/fields/site`)).status).toBe(200)
  })

  it('is rejected with more rules over several fields than a sheet can have', async () => {
    const many = Array.from({ length: 21 }, (_, i) => rule('rule', { when: `amount eq ${i}`, message: 'x' }))
    const sheet = { name: 'S', fields, constraints: many }
    const { status, body } = await call('POST', '/workbooks', { spaceId, name: 'w', sheets: [sheet] })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ key: 'sheets.0.constraints' }])
  })
})
