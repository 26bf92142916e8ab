import { describe, expect, it } from 'vitest'
import { suggest } from '../../../lib/mapping/suggest.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const createField = (label: string, type = 'string'): Field => Field.parse({ key: label, label, type })

function suggestPairs(columns: Record<string, string[]>, ...fields: Field[]): string[] {
  const source = Object.keys(columns).map((key) => createField(key))
  return suggest(source, fields, { samples: new Map(Object.entries(columns)) }).map(
    ({ sourceField, destinationField }) => `${sourceField.key}>${destinationField.key}`,
  )
}

const AMOUNTS = ['12.50', '8.10', '99.95', '7.00', '31.20']
const COUNTS = ['3', '12', '1', '7', '25']
const EARLY = ['2024-01-05', '2024-02-11', '2024-03-02', '2024-02-20', '2024-04-17']
const LATE = ['2024-03-01', '2024-02-15', '2024-03-09', '2024-06-30', '2024-05-04']

describe('everyday headers', () => {
  it.each([
    ['Qty', COUNTS, 'Number of items', 'number'],
    ['Aantal stuks', COUNTS, 'Number of items', 'number'],
    ['from_name', ['Ann Lee', 'Tom Ray', 'Eva Kok'], 'Requester', 'string'],
    ['In dienst', EARLY, 'Start date', 'date'],
    ['Bruto p/m (EUR)', AMOUNTS, 'Monthly salary', 'number'],
    ['Dienstverband', ['100 %', '80 %', '50 %', '60 %'], 'Working time (%)', 'number'],
    ['Vaste rijder', ['Jan de Vries', 'Eva Kok', 'Piet Smit'], 'Driver', 'string'],
    ['Retorno', EARLY, 'Próxima ação em', 'date'],
    ['Alta/Baja', ['Sí', 'No', 'Sí'], 'Active', 'boolean'],
    ['Ordered by', ['Ann Lee', 'Tom Ray', 'Eva Kok'], 'Buyer', 'string'],
    ['Wiedervorlage', EARLY, 'Next follow-up', 'date'],
    ['Cód. barras', ['4006381333931', '4006381333948', '4006381333955'], 'Barcode', 'string'],
    ['Skąd o nas wiesz?', ['Targi', 'Polecenie', 'Targi'], 'Lead source', 'string'],
    ['Wahrsch. %', ['10 %', '50 %', '90 %'], 'Probability (%)', 'number'],
    ['Selbstbeteiligung', AMOUNTS, 'Deductible', 'number'],
    ['Data wizyty', EARLY, 'Appointment date', 'date'],
    ['Nº RMA', ['RMA-101', 'RMA-102', 'RMA-103'], 'Return number', 'string'],
    ['Pago por', ['Ana Silva', 'João Costa', 'Rita Sousa'], 'Payer', 'string'],
  ])('%s', (header, values, label, type) => {
    expect(suggestPairs({ [header]: values }, createField(label, type))).toEqual([`${header}>${label}`])
  })

  it('name who paid, not what was paid', () => {
    expect(suggestPairs({ 'Pagado por': ['Ana Ruiz', 'Eva Gil'] }, createField('Payment date', 'date'))).toEqual([])
  })

  it.each(['Importe sin IVA', 'Importo senza IVA', 'Valor s/ IVA'])('%s is without tax', (header) => {
    const fields = [createField('Net amount', 'number'), createField('VAT', 'number')]
    expect(suggestPairs({ [header]: AMOUNTS }, ...fields)).toEqual([`${header}>Net amount`])
  })

  it('name a rate by its time unit, which is not a number of nights', () => {
    const fields = [createField('Nights', 'number'), createField('Rate per night', 'number')]
    expect(suggestPairs({ 'Tarif/nuit': AMOUNTS, 'Nb nuits': COUNTS }, ...fields)).toEqual([
      'Nb nuits>Nights',
      'Tarif/nuit>Rate per night',
    ])
  })
})

describe('a column of types', () => {
  const types = ['Golf', 'Clio', 'Golf', 'Yaris', 'Clio']
  const makes = ['VW', 'Renault', 'VW', 'Toyota', 'Renault']

  it('holds the models if it follows the makes', () => {
    const fields = [createField('Brand'), createField('Model')]
    expect(suggestPairs({ Merk: makes, Type: types }, ...fields)).toEqual(['Merk>Brand', 'Type>Model'])
    expect(suggestPairs({ Kleur: makes, Type: types }, ...fields)).toEqual([])
  })

  it('holds the categories if it is the only one', () => {
    const columns = { 'Soort kosten': ['Hotel', 'Reis', 'Hotel', 'Reis'] }
    expect(suggestPairs(columns, createField('Category'))).toEqual(['Soort kosten>Category'])
    expect(suggestPairs({ ...columns, 'Soort uitgave': columns['Soort kosten'] }, createField('Category'))).toEqual([])
  })
})

it('a bare value is the only value that the fields know', () => {
  expect(suggestPairs({ Wert: AMOUNTS }, createField('Lagerwert', 'number'))).toEqual(['Wert>Lagerwert'])
  expect(suggestPairs({ Wert: AMOUNTS }, createField('Temperatur', 'number'), createField('Höhe', 'number'))).toEqual(
    [],
  )
})

describe('two columns of dates that are left', () => {
  const fields = [createField('Lease start', 'date'), createField('Lease end', 'date')]

  it('are the start and the end by their order', () => {
    expect(suggestPairs({ Zyx: LATE, Qwv: EARLY }, ...fields)).toEqual(['Qwv>Lease start', 'Zyx>Lease end'])
  })

  it('stay without a field if neither is always the later one', () => {
    expect(suggestPairs({ Zyx: [...LATE.slice(1), '2023-01-01'], Qwv: EARLY }, ...fields)).toEqual([])
    expect(
      suggestPairs(
        { Zyx: ['05/01/2024', '03/02/2024', '04/04/2024'], Qwv: ['01/05/2024', '02/03/2024', '04/04/2024'] },
        ...fields,
      ),
    ).toEqual([])
  })

  it('stay without a field if there are three of them', () => {
    expect(suggestPairs({ Zyx: LATE, Qwv: EARLY, Vbn: LATE }, ...fields)).toEqual([])
  })
})
