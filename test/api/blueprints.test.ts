import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getAccessToken, pluck } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'

beforeAll(() => createFreshSpace({ name: 'Blueprints' }))

type Sheet = Record<string, unknown>
const customers: Sheet = {
  name: 'Customers',
  slug: 'customers',
  fields: [
    { key: 'customer_no', type: 'string' },
    { key: 'city', type: 'string' },
  ],
}
const orders = (config: object = { ref: 'customers', key: 'customer_no' }, more: object = {}): Sheet => ({
  name: 'Orders',
  slug: 'orders',
  fields: [
    { key: 'id', type: 'string' },
    { key: 'customer', type: 'reference', config },
  ],
  ...more,
})
const workbook = (...sheets: Sheet[]) => ({ spaceId, name: 'Shop', sheets })
const toProblems = ({ status, body }: { status: number; body: { errors: object[] } }) => ({
  status,
  errors: body.errors,
})

const create = async (...sheets: Sheet[]) => {
  const { status, body } = await call('POST', '/workbooks', workbook(...sheets))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

describe('POST /workbooks', () => {
  it('rejects a blueprint with all problems: shapes, references, constraints, slugs', async () => {
    const bad = orders(
      { ref: 'costumers', key: 'customer_no' },
      {
        constraints: [{ type: 'unique', name: 'both', fields: ['id', 'custmer'], requiredFields: ['nothing like it'] }],
      },
    )
    const answer = await call('POST', '/workbooks', {
      ...workbook(customers, bad, orders({ ref: 'customers', key: 'customerno' }), {
        name: 'Lines',
        fields: [
          { key: 'b', type: 'string' },
          { key: 'b', type: 'text' },
          { key: 'order', type: 'reference-list', config: { ref: 'orders', key: 'id', filter: { refField: 'place' } } },
        ],
      }),
      name: '',
    })
    const { status, errors } = toProblems(answer)
    expect(status).toBe(400)
    expect(errors).toEqual(
      expect.arrayContaining([
        {
          key: 'sheets.1.fields.1.config.ref',
          message: 'is not a sheet of the workbook: costumers. Did you mean customers?',
        },
        {
          key: 'sheets.1.constraints.0.fields.1',
          message: 'is not a field of the sheet orders: custmer. Did you mean customer?',
        },
        {
          key: 'sheets.1.constraints.0.requiredFields.0',
          message: 'is not a field of the sheet orders: nothing like it.',
        },
        { key: 'sheets.2.slug', message: 'is used by two sheets: orders' },
        {
          key: 'sheets.2.fields.1.config.key',
          message: 'is not a field of the sheet customers: customerno. Did you mean customer_no?',
        },
        { key: 'sheets.3.fields.1.key', message: 'is the key of two fields: b' },
        { key: 'sheets.3.fields.2.config.filter.refField', message: 'is not a field of the sheet orders: place.' },
        { key: 'name', message: expect.any(String) },
        { key: 'sheets.3.fields.1.type', message: expect.any(String) },
      ]),
    )
    expect(errors).toHaveLength(9)
    expect(await must('GET', `/workbooks?spaceId=${spaceId}`)).toEqual([])
  })

  it('accepts sheets that refer to each other and to themselves by slug, name and generated slug', async () => {
    const { slug: _, ...unnamed } = customers
    const sheets = [
      {
        ...unnamed,
        fields: [
          ...(customers.fields as object[]),
          { key: 'last', type: 'reference', config: { ref: 'Orders', key: 'id' } },
          { key: 'parent', type: 'reference', config: { ref: 'customers', key: 'customer_no' } },
        ],
      },
      orders(),
    ]
    await create(...sheets)
  })

  it('numbers slugs generated from equal names, but never an explicit one', async () => {
    const { slug: _, ...unnamed } = customers
    const { sheets } = await create(unnamed, unnamed, customers)
    expect(pluck(sheets, 'slug')).toEqual(['customers-2', 'customers-3', 'customers'])
  })

  it('accepts a sheet without fields, which can be added later', async () => {
    const { sheets } = await create({ name: 'Empty', fields: [] })
    expect((await call('POST', `/sheets/${sheets[0].id}/fields`, { key: 'a', type: 'string' })).status).toBe(200)
  })
})

describe('a workbook inside another request', () => {
  it('is validated in an autobuild configuration', async () => {
    const { email, password } = account
    const accessToken = await getAccessToken({ email, password })
    const answer = await createCaller(accessToken)('POST', `/environments/${account.environmentId}/autobuilds`, {
      workbooks: [{ name: 'Shop', sheets: [customers, orders({ ref: 'nowhere', key: 'id' })] }],
    })
    expect(toProblems(answer)).toEqual({
      status: 400,
      errors: [
        { key: 'workbooks.0.sheets.1.fields.1.config.ref', message: 'is not a sheet of the workbook: nowhere.' },
      ],
    })
  })

  it('is validated when a page embeds a space', async () => {
    const answer = await call('POST', `/internal/spaces/init?publishableKey=${account.publishableKey}`, {
      space: { name: 'Embedded' },
      workbook: { name: 'Shop', sheets: [orders()] },
    })
    expect(answer.body.errors).toEqual([
      { key: 'workbook.sheets.0.fields.1.config.ref', message: 'is not a sheet of the workbook: customers.' },
    ])
  })
})

describe('PATCH /workbooks/{id}', () => {
  it('accepts new sheets that refer to each other, and rejects all problems of all sheets together', async () => {
    const { id, sheets } = await create(customers)
    const lines = {
      name: 'Lines',
      slug: 'lines',
      fields: [{ key: 'order', type: 'reference', config: { ref: 'orders', key: 'id' } }],
    }
    const bad = await call('PATCH', `/workbooks/${id}`, {
      sheets: [
        { slug: 'lines' },
        { id: sheets[0].id, constraints: [{ type: 'unique', name: 'u', fields: ['x'] }] },
        orders({ ref: 'custmers', key: 'city' }),
      ],
    })
    expect(toProblems(bad)).toEqual({
      status: 400,
      errors: [
        { key: 'sheets.0.name', message: expect.any(String) },
        { key: 'sheets.0.fields', message: expect.any(String) },
        { key: 'sheets.1.constraints.0.fields.0', message: 'is not a field of the sheet customers: x.' },
        {
          key: 'sheets.2.fields.1.config.ref',
          message: 'is not a sheet of the workbook: custmers. Did you mean customers?',
        },
      ],
    })
    expect((await call('PATCH', `/workbooks/${id}`, { sheets: [lines, orders()] })).status).toBe(200)
  })

  it('rejects a change that breaks a reference of another sheet, and accepts both changes together', async () => {
    const { id, sheets } = await create(customers, orders())
    const fields = [{ key: 'number', type: 'string' }]
    const alone = await call('PATCH', `/workbooks/${id}`, { sheets: [{ slug: 'customers', fields }] })
    expect(toProblems(alone)).toEqual({
      status: 400,
      errors: [
        {
          key: 'sheets',
          message: 'fields.1.config.key of the sheet orders: is not a field of the sheet customers: customer_no.',
        },
      ],
    })
    const renamed = await call('PATCH', `/sheets/${sheets[0].id}`, { slug: 'clients' })
    expect(toProblems(renamed)).toEqual({
      status: 400,
      errors: [
        { key: 'slug', message: 'fields.1.config.ref of the sheet orders: is not a sheet of the workbook: customers.' },
      ],
    })
    const both = await call('PATCH', `/workbooks/${id}`, {
      sheets: [{ slug: 'customers', fields }, orders({ ref: 'customers', key: 'number' })],
    })
    expect(both.status, JSON.stringify(both.body)).toBe(200)
  })

  it('accepts a change next to a reference left dangling by a deleted sheet', async () => {
    const { id, sheets } = await create(customers, orders())
    expect((await call('DELETE', `/sheets/${sheets[0].id}`)).status).toBe(200)
    const answer = await call('PATCH', `/workbooks/${id}`, { sheets: [{ ...orders(), name: 'All orders' }] })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  })
})

describe('POST /sheets/{id}/fields', () => {
  it('rejects a reference to a sheet or field that does not exist', async () => {
    const { sheets } = await create(customers, { name: 'Orders', fields: [] })
    const add = (config: object) =>
      call('POST', `/sheets/${sheets[1].id}/fields`, { key: 'customer', type: 'reference', config })
    expect(toProblems(await add({ ref: 'customer', key: 'city' }))).toEqual({
      status: 400,
      errors: [{ key: 'config.ref', message: 'is not a sheet of the workbook: customer. Did you mean customers?' }],
    })
    expect(toProblems(await add({ ref: 'customers', key: 'citty' }))).toEqual({
      status: 400,
      errors: [{ key: 'config.key', message: 'is not a field of the sheet customers: citty. Did you mean city?' }],
    })
    expect((await add({ ref: 'customers', key: 'city' })).status).toBe(200)
  })
})

describe('POST /sheets/{id}/duplicate', () => {
  it('rejects a slug that another sheet has', async () => {
    const { sheets } = await create(customers, { name: 'Orders', slug: 'orders', fields: [] })
    expect((await call('POST', `/sheets/${sheets[0].id}/duplicate`, { slug: 'orders' })).status).toBe(409)
  })
})
