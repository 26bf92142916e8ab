/** Fields with as many options as a field can have. */
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_OPTIONS_PER_FIELD } from '../../schemas/sheets/fields.ts'
import { MAX_SHEET_CONFIG_BYTES } from '../../schemas/sheets/shape.ts'
import { waitForJob } from '../support/activity.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'

beforeAll(() => createFreshSpace({ name: 'Options' }))

const createOptions = (count: number, label: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => ({ value: `v${i}`, label: label(i) }))
const create = (...fields: object[]) =>
  call('POST', '/workbooks', { spaceId, name: 'w', sheets: [{ name: 'S', fields }] })

describe('an enum of five thousand options', () => {
  const options = createOptions(MAX_OPTIONS_PER_FIELD, (i) => `Option ${i}`)

  it('is mapped to, and validated like a small one', async () => {
    const target = (await create({ key: 'choice', type: 'enum', config: { options } })).body.data
    const source = (await create({ key: 'Choice', type: 'string' })).body.data
    const sheetId = target.sheets[0].id
    await must('POST', `/sheets/${source.sheets[0].id}/records`, [
      ...Array.from({ length: 150 }, (_, i) => ({ Choice: `OPTION ${i * 10}` })),
      { Choice: 'none of them' },
    ])
    const { id } = await must('POST', '/jobs', {
      ...{ type: 'workbook', operation: 'map', source: source.id, destination: target.id, managed: true },
      config: { sourceSheetId: source.sheets[0].id, destinationSheetId: sheetId },
    })
    const { plan } = await must('GET', `/jobs/${id}/plan`)
    expect(plan.fieldMapping[0].enumDetails.mapping).toHaveLength(150)
    await must('POST', `/jobs/${id}/execute`, {})
    expect((await waitForJob(id)).status).toBe('completed')
    const { records } = (await call('GET', `/sheets/${sheetId}/records`)).body.data
    expect(
      records.slice(0, 2).map(({ values }: { values: { choice: { value: string } } }) => values.choice.value),
    ).toEqual(['v0', 'v10'])
    const { counts } = (await call('GET', `/sheets/${sheetId}/counts`)).body.data
    expect(counts).toMatchObject({ total: 151, valid: 150, error: 1 })
    await must('POST', `/sheets/${sheetId}/records`, [{ choice: 'v4999' }, { choice: 'v5000' }])
    expect((await call('GET', `/sheets/${sheetId}/counts`)).body.data.counts).toMatchObject({ valid: 151, error: 2 })
  })

  it('is the limit', async () => {
    const { status, body } = await create({
      ...{ key: 'choice', type: 'enum', config: { options: [...options, { value: 'one too many' }] } },
    })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ key: 'sheets.0.fields.0.config.options' }])
  })

  it('shares the bytes of its sheet, whatever its letters', async () => {
    const japanese = createOptions(MAX_OPTIONS_PER_FIELD, (i) => `選択肢の名前 ${i}`)
    const fields = ['a', 'b'].map((key) => ({ key, type: 'enum', config: { options: japanese } }))
    expect((await create(fields[0]!)).status).toBe(200)
    const bytes = Buffer.byteLength(JSON.stringify({ name: 'S', fields }))
    expect(bytes).toBeGreaterThan(MAX_SHEET_CONFIG_BYTES)
    const { status, body } = await create(...fields)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ key: 'sheets.0' }])
  })
})
