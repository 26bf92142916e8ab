/** Readings and transforms of a plan. Guests may write both to their own jobs. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { buildMappingJob, createSheets, executeJob, readValues, textField } from '../support/mapping-jobs.ts'
import { createGuestCaller } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Readings' }))

const COLUMNS = ['Name', 'Born', 'Paid', 'City', 'Zip'].map((key) => textField(key))
const FIELDS = [
  textField('name', { label: 'Name' }),
  { key: 'born', label: 'Born', type: 'date' },
  { key: 'paid', label: 'Paid', type: 'boolean' },
  textField('address', { label: 'Address' }),
  textField('source', { label: 'Source' }),
]
const ROWS = [
  ['Ada Lovelace', '01/02/1815', 'ja', 'London', 'N1'],
  ['Blaise Pascal', '03/04/1623', 'nein', 'Paris', '75'],
]
const DMY = { type: 'date', orders: { '/': 'dmy' } }
const MDY = { type: 'date', orders: { '/': 'mdy' } }

interface Edge {
  sourceField: { key: string }
  destinationField: { key: string }
  metadata: { question?: { about: string; alternatives: object[] }; reading?: object }
}

async function createJob(by: Caller = call, fields = FIELDS, columns = COLUMNS) {
  const sheets = await createSheets({ fields: columns, destination: fields, rows: ROWS })
  const { id } = await must('POST', '/jobs', buildMappingJob(sheets), by)
  const { plan } = await must('GET', `/jobs/${id}/plan`, undefined, by)
  return { id, sheets, plan }
}

const withReading = (edges: Edge[], reading: object) =>
  edges.map((edge) =>
    edge.destinationField.key === 'born' ? { ...edge, metadata: { ...edge.metadata, reading } } : edge,
  )
const findEdge = ({ fieldMapping }: { fieldMapping: Edge[] }, key: string) =>
  fieldMapping.find(({ destinationField }) => destinationField.key === key)!

describe('the reading of an edge', () => {
  it('settles the question of a guest’s own job: the preview and the import follow the last choice', async () => {
    const guest = await createGuestCaller({ id: spaceId })
    const { id, sheets, plan } = await createJob(guest)
    const { question } = findEdge(plan, 'born').metadata
    expect(question).toMatchObject({ about: 'day-month-order', alternatives: [DMY, MDY] })
    for (const reading of [MDY, DMY, MDY]) {
      const fieldMapping = withReading(plan.fieldMapping, reading)
      const { plan: changed } = await must('PATCH', `/jobs/${id}/plan`, { fieldMapping }, guest)
      expect(findEdge(changed, 'born').metadata).toMatchObject({ reading, question: { about: 'day-month-order' } })
      const { columns } = await must('POST', `/jobs/${id}/preview`, undefined, guest)
      expect(columns.find((column: { destinationField: string }) => column.destinationField === 'born')).toMatchObject({
        reading,
        converted: 2,
        unreadable: 0,
      })
    }
    const program = await must('GET', `/mapping/${plan.programId}`)
    expect(program.rules.filter(({ type }: { type: string }) => type === 'read')).toHaveLength(1)
    await executeJob(id, guest)
    expect(await readValues(sheets.destination, 'born', 'paid')).toEqual([
      ['1815-01-02', true],
      ['1623-03-04', false],
    ])
  })

  it('stays when a client sends edges without it, and ends with its edge', async () => {
    const { id, plan } = await createJob()
    await must('PATCH', `/jobs/${id}/plan`, { fieldMapping: withReading(plan.fieldMapping, DMY) })
    const rulesOf = async () =>
      (await must('GET', `/mapping/${plan.programId}`)).rules
        .filter(({ type }: { type: string }) => type === 'read')
        .map(({ config }: { config: { reading: object } }) => config.reading)
    await must('PATCH', `/jobs/${id}/plan`, { fieldMapping: plan.fieldMapping })
    expect(await rulesOf()).toEqual([DMY])
    const others = plan.fieldMapping.filter(({ destinationField }: Edge) => destinationField.key !== 'born')
    await must('PATCH', `/jobs/${id}/plan`, { fieldMapping: others })
    expect(await rulesOf()).toEqual([])
  })

  it('must be a reading of the type of its field', async () => {
    const { id, plan } = await createJob()
    const send = (reading: object) =>
      call('PATCH', `/jobs/${id}/plan`, { fieldMapping: withReading(plan.fieldMapping, reading) })
    const { status, body } = await send({ type: 'number' })
    expect([status, body.errors[0].key]).toEqual([400, 'fieldMapping.1.metadata.reading.type'])
    expect((await send({ type: 'date', orders: { '/': 'never' } })).status).toBe(400)
  })

  it('belongs to the owner of the job: another guest is refused', async () => {
    const [one, two] = [await createGuestCaller({ id: spaceId }), await createGuestCaller({ id: spaceId })]
    const { id, plan } = await createJob(one)
    const body = { fieldMapping: withReading(plan.fieldMapping, DMY) }
    expect((await two('PATCH', `/jobs/${id}/plan`, body)).status).toBe(403)
  })
})

describe('a new edge with suggest=true', () => {
  const fields = FIELDS.map((field) => ({ ...field, key: `x_${field.key}`, label: `Q${field.key.length}` }))

  it('is read like a suggested one, with its question and translated values', async () => {
    const { id, sheets, plan } = await createJob(call, fields, COLUMNS)
    const pair = (column: string, field: string) => ({
      sourceField: COLUMNS.find(({ key }) => key === column),
      destinationField: { key: field },
      metadata: { source: 'user' },
    })
    const fieldMapping = [pair('Born', 'x_born'), pair('Paid', 'x_paid')]
    const plain = (await must('PATCH', `/jobs/${id}/plan`, { fieldMapping: [pair('Name', 'x_name')] })).plan
    expect(findEdge(plain, 'x_name').metadata).toEqual({ source: 'user' })
    const { plan: read } = await must('PATCH', `/jobs/${id}/plan?suggest=true`, { fieldMapping })
    expect(findEdge(read, 'x_born').metadata.question).toMatchObject({ about: 'day-month-order' })
    expect(findEdge(read, 'x_paid')).toMatchObject({
      enumDetails: { mapping: expect.arrayContaining([{ sourceValue: 'ja', destinationValue: true }]) },
    })
    expect(read.programId).toBe(plan.programId)
    const answered = read.fieldMapping.map((edge: Edge) =>
      edge.destinationField.key === 'x_born' ? { ...edge, metadata: { ...edge.metadata, reading: DMY } } : edge,
    )
    await must('PATCH', `/jobs/${id}/plan?suggest=true`, { fieldMapping: answered })
    await executeJob(id)
    expect(await readValues(sheets.destination, 'x_born', 'x_paid')).toEqual([
      ['1815-02-01', true],
      ['1623-04-03', false],
    ])
  })
})

describe('the transforms of a plan', () => {
  const TRANSFORMS = [
    { type: 'concatenate', config: { sourceFields: ['Zip', 'City'], separator: ' ', destinationField: 'address' } },
    { type: 'constant', config: { destinationField: 'source', value: 'Old system' } },
    {
      type: 'transform',
      config: { sourceField: 'destination!name', destinationField: 'name', transform: 'uppercase' },
    },
  ]

  it('join columns, fill constants and format values, of a guest’s own job', async () => {
    const guest = await createGuestCaller({ id: spaceId })
    const { id, sheets, plan } = await createJob(guest)
    const { plan: changed } = await must('PATCH', `/jobs/${id}/plan`, { transforms: TRANSFORMS }, guest)
    expect(changed.transforms).toEqual(TRANSFORMS)
    expect(changed.unmappedSourceFields).toEqual([])
    expect(changed.unmappedDestinationFields).toEqual([])
    await must('PATCH', `/jobs/${id}/plan`, { fieldMapping: plan.fieldMapping }, guest)
    expect((await must('GET', `/jobs/${id}/plan`, undefined, guest)).plan.transforms).toEqual(TRANSFORMS)
    await executeJob(id, guest)
    expect(await readValues(sheets.destination, 'name', 'address', 'source')).toEqual([
      ['ADA LOVELACE', 'N1 London', 'Old system'],
      ['BLAISE PASCAL', '75 Paris', 'Old system'],
    ])
  })

  it('are replaced as a whole, and removed by an empty list', async () => {
    const { id } = await createJob()
    await must('PATCH', `/jobs/${id}/plan`, { transforms: TRANSFORMS })
    const split = {
      type: 'split',
      config: { sourceField: 'Name', destinationFields: ['name', 'address'], separator: ' ' },
    }
    expect((await must('PATCH', `/jobs/${id}/plan`, { transforms: [split] })).plan.transforms).toEqual([split])
    expect((await must('PATCH', `/jobs/${id}/plan`, { transforms: [] })).plan.transforms).toBeUndefined()
  })

  it('are limited to their types, and must fit the sheets', async () => {
    const { id } = await createJob()
    const send = async (type: string, config: object) => {
      const { status, body } = await call('PATCH', `/jobs/${id}/plan`, { transforms: [{ type, config }] })
      return [status, body.errors?.[0].key]
    }
    expect(await send('subprogram', { rules: [] })).toEqual([400, 'transforms.0.type'])
    expect(await send('constant', { destinationField: 'nowhere', value: 1 })).toEqual([
      400,
      'transforms.0.config.destinationField',
    ])
    expect(await send('split', { sourceField: 'Name', destinationFields: [], separator: ' ' })).toEqual([
      400,
      'transforms.0.config.destinationFields',
    ])
  })
})
