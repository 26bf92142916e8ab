import { beforeAll, describe, expect, it } from 'vitest'
import { createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'

beforeAll(() => createFreshSpace({ name: 'Headers' }))

const toField = (told: string) => {
  const [key = '', type = 'string'] = told.split(':')
  return { key, type }
}

async function suggestByNames(headers: string[], fields: string[]): Promise<string[]> {
  const { data } = await api.mapping.createMappingProgram({
    body: {
      save: false,
      source: { name: 'File', fields: headers.map(toField) },
      destination: { name: 'Sheet', fields: fields.map(toField) },
    },
  } as Parameters<typeof api.mapping.createMappingProgram>[0])
  return data.rules!.filter(({ type }) => type === 'assign').map(describeRule)
}

function describeRule({ config }: { config?: unknown }): string {
  const { sourceField, destinationField } = config as { sourceField: string; destinationField: string }
  return `${sourceField}>${destinationField}`
}

interface PlannedEdge {
  sourceField: { key: string }
  destinationField: { key: string }
  metadata: { certainty: string; confidence: number }
}

async function planByValues(columns: Record<string, unknown[]>, fields: object[]): Promise<string[]> {
  const headers = Object.keys(columns)
  const { data: workbook } = await api.workbooks.create({
    spaceId,
    name: 'Import',
    sheets: [
      { name: 'File', fields: headers.map(toField) },
      { name: 'Sheet', fields },
    ],
  } as Parameters<typeof api.workbooks.create>[0])
  const [source, destination] = workbook.sheets!.map(({ id }) => id)
  const rows = columns[headers[0]!]!.map((_, row) =>
    Object.fromEntries(headers.map((header) => [header, { value: columns[header]![row] as string }])),
  )
  await api.records.insert(source!, rows)
  const { id } = await must('POST', '/jobs', {
    ...{ type: 'workbook', operation: 'map', source: workbook.id, destination: workbook.id, managed: true },
    config: { sourceSheetId: source, destinationSheetId: destination },
  })
  const { fieldMapping } = (await must('GET', `/jobs/${id}/plan`)).plan as { fieldMapping: PlannedEdge[] }
  return fieldMapping.map(
    ({ sourceField, destinationField, metadata }) => `${sourceField.key}>${destinationField.key} ${metadata.certainty}`,
  )
}

describe('POST /mapping', () => {
  it.each([
    ['German', ['Kd-Nr.', 'Gebdat', 'Rg-Nr', 'Betrag brutto']],
    ['French', ['N° client', 'Date de naissance', 'Numéro de la facture', 'Montant TTC']],
    ['Spanish', ['Código de cliente', 'F. nacimiento', 'Nº de factura', 'Importe total']],
    ['Italian', ['Codice cliente', 'Data di nascita', 'N. fattura', 'Totale fattura']],
    ['Dutch', ['Klantnr', 'Geboortedatum', 'Factuurnummer', 'Totaalbedrag']],
    ['Portuguese', ['Código do cliente', 'Data de nascimento', 'Nº da fatura', 'Valor bruto']],
    ['Polish', ['Nr klienta', 'Data urodzenia', 'Numer faktury', 'Kwota brutto']],
    ['English', ['cust no', 'dob', 'inv #', 'Total amt']],
  ])('maps %s headers', async (_language, headers) => {
    const fields = ['customer_number', 'birth_date:date', 'invoice_number', 'total_amount:number']
    expect((await suggestByNames(headers, fields)).sort()).toEqual(
      headers.map((header, at) => `${header}>${fields[at]!.split(':')[0]}`).sort(),
    )
  })

  it('maps an order date to the only date field it can mean', async () => {
    expect(await suggestByNames(['Order date', 'Customer No'], ['customer_no', 'ordered_on:date'])).toEqual([
      'Customer No>customer_no',
      'Order date>ordered_on',
    ])
  })

  it('does not guess between two fields', async () => {
    expect(await suggestByNames(['City'], ['shipping_city', 'billing_city'])).toEqual([])
  })
})

describe('the plan of a mapping job', () => {
  it('uses the values of columns whose headers say nothing or mislead', async () => {
    const plan = await planByValues(
      {
        A1: ['2021-03-04', '31.12.2020', '1 March 2022', '2021-03-05'],
        Name: ['ada@example.com', 'bob@example.org', 'cy@example.net', 'di@example.com'],
        A2: ['+49 30 1234567', '(0421) 9988-77', '0171/999 88 77', '0800 1234567'],
        A3: ['Deutschland', 'Spain', 'France', 'Polska'],
        A4: ['Low', 'High', 'low', 'High'],
      },
      [
        ...['name', 'email', 'phone', 'country'].map(toField),
        toField('seen:date'),
        { key: 'priority', type: 'enum', config: { options: [{ value: 'low' }, { value: 'high' }] } },
      ],
    )
    expect(plan).toEqual([
      'Name>email moderate',
      'A2>phone weak',
      'A3>country weak',
      'A1>seen weak',
      'A4>priority weak',
    ])
  })
})
