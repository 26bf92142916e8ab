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
    ['Raised', EARLY, 'Order date', 'date'],
    ['Raised', EARLY, 'Opened on', 'date'],
    ["Rec'd", EARLY, 'Applied on', 'date'],
    ['Ricevuta il', EARLY, 'Applied on', 'date'],
    ['Demandé le', EARLY, 'Opened on', 'date'],
    ['F_ALTA', EARLY, 'Valid from', 'date'],
    ['Termo', LATE, 'Lease end', 'date'],
    ['Titular', ['Ana García', 'Luis Pérez', 'Marta Ruiz'], 'Guest name', 'string'],
    ['Ship via', ['DHL', 'UPS', 'DPD'], 'Carrier', 'string'],
    ['Bonnr.', ['W-1001', 'W-1004', 'W-1009'], 'Work order', 'string'],
    ['Nr fabr.', ['SN-1001', 'SN-1004', 'SN-1009'], 'Numer seryjny', 'string'],
    ['Wart. pocz.', AMOUNTS, 'Wartość początkowa', 'number'],
    ['Nº ficha', ['B-1001', 'B-1004', 'B-1009'], 'Report number', 'string'],
    ['Deficiências', ['luz queimada', 'pneu gasto', 'travão solto'], 'Defects', 'string'],
    ['Carga horária', COUNTS, 'Duration (hours)', 'number'],
    ['Entidade formadora', ['Silva Lda', 'Costa SA', 'Sousa Lda'], 'Training provider', 'string'],
    ['Vistoriado por', ['Ana Silva', 'João Costa', 'Rita Sousa'], 'Inspector', 'string'],
    ['Exerc.', ['2022', '2023', '2024'], 'Year', 'number'],
    ['Item / service', ['work gloves', 'hex keys', 'paint roller'], 'Description', 'string'],
    ['Resp. comm.', ['Marie Dubois', 'Luc Martin', 'Claire Petit'], 'Agente', 'string'],
    ['DNI/NIE', ['12345678Z', 'X1234567L', '87654321X'], 'ID document', 'string'],
    ['Lieu', ['Lyon', 'Nantes', 'Lille'], 'Ville', 'string'],
    ['Caller e-mail', ['ann@example.com', 'tom@example.com', 'eva@example.com'], 'Email', 'string'],
    ['Mail du parent', ['ann@example.com', 'tom@example.com', 'eva@example.com'], 'Adresse e-mail', 'string'],
    ['Geladen', EARLY, 'Loading date', 'date'],
    ['Lezer', ['Jan de Vries', 'Eva Kok', 'Piet Smit'], 'Borrower', 'string'],
    ['Reclamado', AMOUNTS, 'Amount claimed', 'number'],
    ['Emp.', ['Talleres Ruiz SL', 'Vega SA', 'Mar SL'], 'Company', 'string'],
    ['Design.', ['furadeira', 'parafuso', 'luvas'], 'Product name', 'string'],
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

describe('a question for yes or no', () => {
  it.each([
    ['Réglée O/N', 'oui', 'non'],
    ['Bezahlt J/N', 'ja', 'nein'],
    ['Opłacone (T/N)', 'tak', 'nie'],
    ['Pago S/N', 'sim', 'não'],
  ])('%s is a question about the words before the letters', (header, yes, no) => {
    const columns = { [header]: [yes, no, yes, yes], Zyx: [no, yes, no, yes] }
    expect(suggestPairs(columns, createField('Paid', 'boolean'))).toEqual([`${header}>Paid`])
  })

  it('is a participle that names a date elsewhere', () => {
    expect(suggestPairs({ Doręczono: ['tak', 'nie', 'tak'] }, createField('Zyx', 'boolean'))).toEqual(['Doręczono>Zyx'])
    expect(suggestPairs({ Priorytet: ['tak', 'nie', 'tak'] }, createField('Zyx', 'boolean'))).toEqual([])
  })

  it('is not a serial number', () => {
    const fields = [createField('Serial number'), createField('Paid', 'boolean')]
    const columns = { 'Pump S/N': ['SN-1001', 'SN-1004', 'SN-1009'], 'Pago S/N': ['Sí', 'No', 'Sí'] }
    expect(suggestPairs(columns, ...fields)).toEqual(['Pump S/N>Serial number', 'Pago S/N>Paid'])
  })
})

describe('names that say little without their values', () => {
  const cities = ['Leeds', 'York', 'Bath', 'Hull', 'Leeds']

  it.each([
    ['From', 'To', 'Via'],
    ['Von', 'Nach', 'Über'],
    ['De', 'À', 'Via'],
    ['Desde', 'Hasta', 'Vía'],
    ['Da', 'A', 'Via'],
    ['Van', 'Naar', 'Via'],
    ['De', 'Para', 'Via'],
    ['Z', 'Do', 'Przez'],
  ])('%s and %s are an origin and a destination above places', (from, to, via) => {
    const columns = { [via]: cities, [to]: cities, [from]: cities }
    expect(suggestPairs(columns, createField('Origin'), createField('Destination'))).toEqual([
      `${from}>Origin`,
      `${to}>Destination`,
    ])
    expect(suggestPairs(columns, createField('Delivery city'))).toEqual([`${to}>Delivery city`])
  })

  it('are the first and the last day above dates', () => {
    expect(suggestPairs({ To: LATE, From: EARLY }, createField('Origin'), createField('Destination'))).toEqual([])
    const fields = [createField('Arrival', 'date'), createField('Departure', 'date')]
    expect(suggestPairs({ To: LATE, From: EARLY }, ...fields)).toEqual(['From>Arrival', 'To>Departure'])
    expect(suggestPairs({ To: EARLY, From: LATE }, ...fields)).toEqual([])
  })

  it('number contacts, unless they are phone numbers', () => {
    const fields = [createField('Contact ID'), createField('Phone')]
    expect(suggestPairs({ 'CONTACT #': ['C-1001', 'C-1004', 'C-1009'] }, ...fields)).toEqual(['CONTACT #>Contact ID'])
    const phones = ['+44 20 7946 0018', '+44 20 7946 0127', '+44 20 7946 0355']
    expect(suggestPairs({ 'CONTACT #': phones }, ...fields)).toEqual(['CONTACT #>Phone'])
  })
})

it('a bare name is that of the customer or supplier whom the fields name', () => {
  const columns = { Naam: ['Jansen BV', 'Smit Bouw', 'Kok Techniek'], Kleur: ['rood', 'blauw', 'rood'] }
  expect(suggestPairs(columns, createField('Supplier'), createField('Zyx'))).toEqual(['Naam>Supplier'])
  expect(suggestPairs(columns, createField('Supplier'), createField('Product'))).toEqual([])
})

it('a place with a number is not a city', () => {
  expect(suggestPairs({ Lieu: ['Salle 1', 'Salle 2', 'Gymnase 1'] }, createField('Ville'))).toEqual([])
})

it('a short word means no more in other languages than it is listed for', () => {
  expect(suggestPairs({ Ubicación: ['A-01', 'B-02', 'C-03'] }, createField('City'))).toEqual([])
})

it('a number of tickets is not the number of a ticket', () => {
  const fields = [createField('Ticket number'), createField('Number of tickets', 'number')]
  expect(
    suggestPairs({ 'Ticket no.': ['T-1001', 'T-1004', 'T-1009'], 'Number of tickets': COUNTS }, ...fields),
  ).toEqual(['Ticket no.>Ticket number', 'Number of tickets>Number of tickets'])
})

it('amounts with cents do not number or name anything', () => {
  expect(suggestPairs({ Spende: AMOUNTS }, createField('Donation number'))).toEqual([])
  expect(suggestPairs({ Richiesto: AMOUNTS }, createField('Description'))).toEqual([])
  expect(suggestPairs({ 'Dep. held': AMOUNTS }, createField('Unit'))).toEqual([])
})

describe('a column of types', () => {
  const types = ['Golf', 'Clio', 'Golf', 'Yaris', 'Clio']
  const makes = ['VW', 'Renault', 'VW', 'Toyota', 'Renault']

  it('holds the models if it follows the makes', () => {
    const fields = [createField('Brand'), createField('Model')]
    expect(suggestPairs({ Merk: makes, Type: types }, ...fields)).toEqual(['Merk>Brand', 'Type>Model'])
    expect(suggestPairs({ Kleur: makes, Type: types }, ...fields)).toEqual([])
  })

  it.each(['Art', 'Clase', 'Tipol.', 'Nature'])('%s is the only type that the fields know', (header) => {
    expect(suggestPairs({ [header]: types }, createField('Contract type'))).toEqual([`${header}>Contract type`])
    const doctors = ['Jan Bakker', 'Eva Smit', 'Piet Kok', 'Tim Bos', 'Lot Mol']
    expect(suggestPairs({ [header]: doctors }, createField('Contract type'))).toEqual([])
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
    expect(suggestPairs({ Zyx: LATE, Qwv: EARLY, Xkq: LATE }, ...fields)).toEqual([])
  })
})
