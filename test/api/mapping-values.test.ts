import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { getServer } from '../support/api.ts'
import { account, call, createFreshSpace, spaceId } from '../support/fresh-account.ts'

beforeAll(() => createFreshSpace({ name: 'Values' }))

interface Extracted {
  workbookId: string
  sheetIds: string[]
}

async function extract(csv: string): Promise<Extracted> {
  const form = new FormData()
  form.append('spaceId', spaceId)
  form.append('environmentId', account.environmentId)
  form.append('file', new Blob([csv]), 'messy.txt')
  const response = await fetch(`${getServer().baseUrl}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}` },
    body: form,
  })
  const { data } = (await response.json()) as { data: { id: string } }
  const job = { type: 'file', operation: 'extract', source: data.id, trigger: 'immediate' }
  return (await waitForJob((await call('POST', '/jobs', job)).body.data.id)).result
}

async function planImport(csv: string, fields: object[]) {
  const { workbookId, sheetIds } = await extract(csv)
  const config = { spaceId, name: 'Target', sheets: [{ name: 'Orders', fields }] }
  const target = (await call('POST', '/workbooks', config)).body.data
  const job = {
    ...{ type: 'workbook', operation: 'map', source: workbookId, destination: target.id, managed: true },
    config: { sourceSheetId: sheetIds[0], destinationSheetId: target.sheets[0].id },
  }
  const jobId = (await call('POST', '/jobs', job)).body.data.id
  return { jobId, sheetId: target.sheets[0].id, plan: (await call('GET', `/jobs/${jobId}/plan`)).body.data.plan }
}

async function execute(jobId: string, sheetId: string, ...keys: string[]) {
  await call('POST', `/jobs/${jobId}/execute`)
  expect((await waitForJob(jobId)).status).toBe('completed')
  const { records } = (await call('GET', `/sheets/${sheetId}/records`)).body.data
  return records.map(({ values, valid }: { values: Record<string, { value: unknown }>; valid: boolean }) => [
    ...keys.map((key) => values[key]!.value),
    valid,
  ])
}

const field = (key: string, type: string, more: object = {}) => ({ key, type, ...more })

describe('a messy file', () => {
  it('arrives as meant', async () => {
    const csv = [
      'Kunde;Bestelldatum;Betrag;Bezahlt;Land;Newsletter',
      ' Ada\u00a0Lovelace ;31.12.2020;1.234,50 €;ja;Deutschland;x',
      'Blaise Pascal;1. März 2021;12,- €;Nein;FRANCE;',
      'Carl Gauß;2021-03-04;(3,5) EUR;1;DE;X',
      'Emmy Noether;05.06.21;1.234;j;Frankreich;',
      'Kurt Gödel;30.02.2021;k. A.;vielleicht;Atlantis;',
    ].join('\n')
    const options = [{ value: 'DE' }, { value: 'FR' }]
    const { jobId, sheetId } = await planImport(csv, [
      field('customer', 'string', { label: 'Kunde' }),
      field('ordered', 'date', { label: 'Bestelldatum' }),
      field('amount', 'number', { label: 'Betrag' }),
      field('paid', 'boolean', { label: 'Bezahlt' }),
      field('country', 'enum', { label: 'Land', config: { options } }),
      field('newsletter', 'boolean', { label: 'Newsletter' }),
    ])
    const rows = await execute(jobId, sheetId, 'customer', 'ordered', 'amount', 'paid', 'country', 'newsletter')
    expect(rows).toEqual([
      ['Ada Lovelace', '2020-12-31', 1234.5, true, 'DE', true, true],
      ['Blaise Pascal', '2021-03-01', 12, false, 'FR', false, true],
      ['Carl Gauß', '2021-03-04', -3.5, true, 'DE', true, true],
      ['Emmy Noether', '2021-06-05', 1234, true, 'FR', false, true],
      ['Kurt Gödel', '30.02.2021', null, 'vielleicht', 'Atlantis', false, false],
    ])
  })

  it('keeps what it reads, and reads phone numbers by the country of their row', async () => {
    const csv = 'Telefon,Land,Datum\n030 901820,Deutschland,31.12.20\n01 42 76 40 40,France,2021-01-02\n'
    const options = [{ value: 'DE' }, { value: 'FR' }]
    const { jobId, sheetId } = await planImport(csv, [
      field('phone', 'string', { label: 'Telefon', metadata: { format: 'phone' } }),
      field('country', 'enum', { label: 'Land', config: { options } }),
      field('day', 'date', { label: 'Datum' }),
    ])
    expect(await execute(jobId, sheetId, 'phone', 'country', 'day')).toEqual([
      ['+4930901820', 'DE', '2020-12-31', true],
      ['+33142764040', 'FR', '2021-01-02', true],
    ])
    const { records } = (await call('GET', `/sheets/${sheetId}/records`)).body.data
    const messages = records.map(({ values }: { values: Record<string, { messages: { message: string }[] }> }) =>
      Object.values(values).map((cell) => cell.messages.map(({ message }) => message).join()),
    )
    expect(messages).toEqual([
      ['was "030 901820"', 'was "Deutschland"', 'was "31.12.20"'],
      ['was "01 42 76 40 40"', 'was "France"', ''],
    ])
    const history = (await call('GET', `/sheets/${sheetId}/records/${records[0].id}/history`)).body.data
    expect(history[0].originals).toEqual({ phone: '030 901820', country: 'Deutschland', day: '31.12.20' })
  })

  it('with two meanings asks in its plan, and a rule with an alternative settles the question', async () => {
    const csv = 'day,total\n01/02/2021,1.234\n03/04/2021,5.678\n'
    const fields = [field('day', 'date'), field('total', 'number')]
    const unanswered = await planImport(csv, fields)
    expect(await execute(unanswered.jobId, unanswered.sheetId, 'day', 'total')).toEqual([
      ['01/02/2021', '1.234', false],
      ['03/04/2021', '5.678', false],
    ])

    const { jobId, sheetId, plan } = await planImport(csv, fields)
    const questions = plan.fieldMapping.map((edge: { metadata: { question: object } }) => edge.metadata.question)
    expect(questions).toMatchObject([
      { about: 'day-month-order', examples: ['01/02/2021', '03/04/2021'] },
      { about: 'decimal-mark', examples: ['1.234', '5.678'] },
    ])
    const chosen = { day: questions[0].alternatives[0], total: questions[1].alternatives[1] }
    const rules = Object.entries(chosen).map(([key, reading]) => ({
      ...{ name: `Chosen for ${key}`, type: 'read' },
      config: { sourceField: `destination!${key}`, destinationField: key, reading },
    }))
    const added = await call('POST', `/mapping/${plan.programId}/rules`, rules)
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    const { plan: settled } = (await call('GET', `/jobs/${jobId}/plan`)).body.data
    for (const { metadata } of settled.fieldMapping) expect(metadata.question).toBeUndefined()
    expect(await execute(jobId, sheetId, 'day', 'total')).toEqual([
      ['2021-02-01', 1234, true],
      ['2021-04-03', 5678, true],
    ])
  })
})
