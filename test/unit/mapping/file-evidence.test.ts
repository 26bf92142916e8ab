import { describe, expect, it } from 'vitest'
import { addReadings } from '../../../lib/mapping/readings.ts'
import { suggest } from '../../../lib/mapping/suggest.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

type Column = [name: string, type: string, ...texts: string[]]

/** The readings and questions of columns that map to fields of the same name. */
function read(...columns: Column[]) {
  const sources = columns.map(([key]) => Field.parse({ key, type: 'string' }))
  const fields = columns.map(([key, type]) => Field.parse({ key, type }))
  const samples = new Map(columns.map(([key, , ...texts]) => [key, texts]))
  const edges = suggest(sources, fields, { samples })
  const read = addReadings(edges, { columns: samples, samples, thisYear: 2026 })
  const questions = read.edges.flatMap(({ destinationField: { key }, metadata }) =>
    metadata?.question ? [[key, metadata.question.about] as const] : [],
  )
  const readings = read.conversions.map(({ config }) => {
    const { destinationField, reading } = config as { destinationField: string; reading: object }
    return [destinationField, reading] as const
  })
  return { questions: Object.fromEntries(questions), readings: Object.fromEntries(readings) }
}

const PRICES: Column = ['price', 'number', '12,50', '7,25']

describe('a column of numbers such as `1.234`', () => {
  it('has thousands if the decimals of the other columns have a comma', () => {
    const { questions, readings } = read(PRICES, ['views', 'number', '1.234', '12.500'])
    expect(questions).toEqual({})
    expect(readings.views).toEqual({ type: 'number', decimalMark: ',' })
    expect(read(PRICES, ['weight', 'number', '1.234', '27,906']).readings.weight).toMatchObject({ decimalMark: ',' })
  })
  it.each<[string, Column[]]>([
    ['no other column has decimals', [['price', 'number', '12', '7']]],
    ['the other columns have points', [['price', 'number', '12.50', '7.25']]],
    ['the other columns differ', [PRICES, ['weight', 'number', '2.5', '10.75']]],
  ])('is a question if %s', (_, others) => {
    expect(read(...others, ['views', 'number', '1.234', '12.500']).questions).toEqual({ views: 'decimal-mark' })
  })
  it('is a question next to a column of number cells and typed commas', () => {
    const typed: Column = ['price', 'number', '745.5', '680,50 €', '€ 1.350']
    const { questions, readings } = read(typed, ['diameter', 'number', '25.009', '15.987'])
    expect(questions).toEqual({ diameter: 'decimal-mark' })
    expect(readings.price).toMatchObject({ decimalMark: ',' })
  })
  it('is a question next to its own decimals', () => {
    const column: Column = ['views', 'number', '12.50', '1.250']
    expect(read(PRICES, column).questions).toEqual({ views: 'decimal-mark' })
  })
})

describe('a column of amounts in two currencies', () => {
  const amounts: Column = ['amount', 'number', '59.9', '£71.00', '€ 64.00', '112.4']
  it('is read next to a column that repeats both', () => {
    const { questions, readings } = read(amounts, ['currency', 'string', 'EUR', 'GBP', '€', 'Euro'])
    expect(questions).toEqual({})
    expect(readings.amount).toMatchObject({ units: ['£', '€'] })
  })
  it('is a question next to other currencies or other texts', () => {
    const asked = { amount: 'unit' }
    expect(read(amounts, ['currency', 'string', 'EUR', 'EUR', '€', 'Euro']).questions).toEqual(asked)
    expect(read(amounts, ['currency', 'string', 'open', 'GBP', 'EUR', 'paid']).questions).toEqual(asked)
  })
})

describe('a word such as `nc` in a column of texts', () => {
  const [phones, amounts]: Column[] = [
    ['phone', 'string', '0612345678', 'NC', '0698765432', '0611223344'],
    ['fee', 'number', '12', 'nc', '13', '14'],
  ]
  it('is empty if two other columns have it', () => {
    const { readings } = read(['company', 'string', 'nc', 'Dupont', 'NC', 'Zero SA'], phones!, amounts!)
    expect(readings.company).toEqual({ type: 'string', emptyTexts: ['nc', 'NC'] })
  })
  it('stays if only one has it, and a word for none stays', () => {
    expect(read(['state', 'string', 'nc', 'ny', 'ca', 'tx'], amounts!).readings.state).toBeUndefined()
    const none = (key: string): Column => [key, 'string', 'none', 'nuts and milk', 'soya', 'fish']
    expect(read(none('allergies'), none('diets'), none('requests')).readings).toEqual({})
  })
})

describe('a few dates such as `11/03/2025` in a column of others', () => {
  const clear = ['2025-03-03', '07.03.2025', '2025-03-10', '14 March 2025', '2025-03-20']
  it('are read by the dates around them if the column is sorted', () => {
    const texts = clear.toSpliced(3, 0, '11/03/2025')
    for (const sorted of [texts, texts.toReversed()]) {
      const { questions, readings } = read(['ordered', 'date', ...sorted])
      expect(questions).toEqual({})
      expect(readings.ordered).toMatchObject({ orders: { '/': 'dmy', '.': 'dmy' } })
    }
  })
  it.each([
    ['the column is not sorted', ['2025-03-25', ...clear.toSpliced(3, 0, '11/03/2025')]],
    ['no others are behind them', [...clear, '11/03/2025']],
    ['both orders fit', [...clear, '04/05/2025', '2026-01-01']],
    ['they are many', [...clear, '04/03/2025', '04/05/2025', '05/06/2025', '06/07/2025', '2025-08-01']],
    ['too few others are clear', ['2025-03-10', '11/03/2025', '2025-03-12']],
  ])('are a question if %s', (_, texts) => {
    expect(read(['ordered', 'date', ...texts]).questions).toEqual({ ordered: 'day-month-order' })
  })
})

describe('a column of dates such as `01-02-2024`', () => {
  const born: Column = ['born', 'date', '15-05-1972', '24-09-1981']
  it('is read like another column with the same mark', () => {
    const { questions, readings } = read(born, ['visit', 'date', '02-09-2024', '03-09-2024'])
    expect(questions).toEqual({})
    expect(readings.visit).toEqual({ type: 'date', orders: { '-': 'dmy' } })
  })
  it('is a question if the others have another mark or another order', () => {
    expect(read(born, ['visit', 'date', '02/09/2024']).questions).toEqual({ visit: 'day-month-order' })
    const american: Column = ['paid', 'date', '05-15-2020', '09-24-2021']
    expect(read(born, american, ['visit', 'date', '02-09-2024']).questions).toEqual({ visit: 'day-month-order' })
  })
})

describe('a column with several units', () => {
  const amounts: Column = ['amount', 'number', '12,50 €', '100', '7 $', 'CHF 30', '20 €']
  it('is read if another column repeats the unit of each row', () => {
    const { questions, readings } = read(amounts, ['currency', 'string', 'EUR', 'GBP', 'US$', 'CHF', '€'])
    expect(questions).toEqual({})
    expect(readings.amount).toEqual({ type: 'number', decimalMark: ',', units: ['€', '$', 'chf'] })
    const stock: Column = ['stock', 'number', '1 crate', '7', '13 barrel', '2 bag']
    expect(read(stock, ['unit', 'string', 'crate', 'kg', 'barrel', 'bag']).readings.stock).toMatchObject({
      units: ['crate', 'barrel', 'bag'],
    })
  })
  it.each<[string, string[]]>([
    ['no other column has units', ['paid', 'paid', 'open', 'open', 'paid']],
    ['a row differs', ['EUR', 'GBP', 'USD', 'CHF', 'USD']],
    ['a row is empty', ['EUR', 'GBP', '', 'CHF', 'EUR']],
  ])('is a question if %s', (_, cells) => {
    expect(read(amounts, ['other', 'string', ...cells]).questions).toEqual({ amount: 'unit' })
  })
  it('is read for one number next to a column named after units', () => {
    const value: Column = ['value', 'number', '18,4', '0,0021', '3,82 %', '72,5']
    const units = ['mg/l', 'mg/l', '%', 'µg/l']
    expect(read(value, ['Einh.', 'string', ...units]).readings.value).toMatchObject({ units: ['%'] })
    expect(read(value, ['Notes', 'string', ...units]).questions).toEqual({ value: 'unit' })
  })
  it('is read if the texts of another column have one unit each', () => {
    const texts = ['53.035,3 kWh', '96,7 m³', '12,5 kWh', '7,25 m³', '8.040,7', '1,5 kWh', '3,5 m³', '2.421,1']
    const reading: Column = ['reading', 'number', ...texts]
    const [power, gas] = ['Strom', 'Erdgas']
    expect(
      read(reading, ['medium', 'string', power, gas, power, gas, power, power, gas, gas]).readings.reading,
    ).toMatchObject({ decimalMark: ',', units: ['kwh', 'm3'] })
    const mixed = read(reading, ['medium', 'string', power, power, power, gas, power, power, gas, gas])
    expect(mixed.questions).toEqual({ reading: 'unit' })
    const keys = texts.map((_, row) => `meter ${row}`)
    expect(read(reading, ['meter', 'string', ...keys]).questions).toEqual({ reading: 'unit' })
    const prices: Column = ['price', 'number', ...texts.map((text) => text.replace('kWh', '€').replace('m³', '$'))]
    const country = ['DE', 'US', 'DE', 'US', 'DE', 'DE', 'US', 'US']
    expect(read(prices, ['country', 'string', ...country]).questions).toEqual({ price: 'unit' })
  })
  it('asks about debits that are left', () => {
    const column: Column = ['amount', 'number', '12 € S', '10 $ H', '7 € H', '3 S']
    expect(read(column, ['currency', 'string', 'EUR', 'USD', 'EUR', 'EUR']).questions).toEqual({
      amount: 'debit-credit',
    })
  })
})

describe('a column of dates such as `03/02/2025`', () => {
  const readDates = (headers: readonly string[], ...texts: string[]) =>
    read([headers[0]!, 'date', ...texts], ...headers.slice(1).map((name): Column => [name, 'string', 'a', 'b']))

  it.each<[string, string[]]>([
    ['Italian', ['Data ordine', 'Cliente', 'Quantità', 'Prezzo unitario', 'Note']],
    ['Portuguese', ['Data', 'Cliente', 'Quantidade', 'Valor', 'Observações']],
    ['Dutch', ['Besteldatum', 'Klant', 'Aantal', 'Bedrag', 'Opmerking']],
  ])('has days first if the headers are %s', (_, headers) => {
    const { questions, readings } = readDates(headers, '03/02/2025', '03-02-2025', '04/02/2025')
    expect(questions).toEqual({})
    expect(readings[headers[0]!]).toMatchObject({ orders: { '/': 'dmy', '-': 'dmy' } })
  })

  it.each<[string, string[]]>([
    ['English', ['Order date', 'Customer', 'Quantity', 'Amount', 'Notes']],
    ['German, which has points between the numbers', ['Bestelldatum', 'Kunde', 'Menge', 'Betrag', 'Bemerkung']],
    ['too few to say a language', ['Data', 'X', 'Y']],
  ])('is a question if the headers are %s', (_, headers) => {
    expect(readDates(headers, '03/02/2025', '04/02/2025').questions).toEqual({ [headers[0]!]: 'day-month-order' })
  })

  it('is a question in any language if the year is short and could be first', () => {
    const headers = ['Data', 'Klient', 'Ilość', 'Cena', 'Uwagi']
    expect(readDates(headers, '08-02-11', '07-09-08').questions).toEqual({ Data: 'day-month-order' })
  })

  it('is a question in any language if another column has months first', () => {
    const months: Column = ['Data consegna', 'date', '03/25/2025', '04/28/2025']
    const others = ['Cliente', 'Quantità', 'Prezzo unitario'].map((name): Column => [name, 'string', 'a', 'b'])
    const { questions } = read(['Data ordine', 'date', '03-02-2025', '04-02-2025'], months, ...others)
    expect(questions).toEqual({ 'Data ordine': 'day-month-order' })
  })
})

it('a column of measurements is read next to one of their units', () => {
  const values: Column = ['value', 'number', '64,2', '73,4 %', '12 %', '78,3 °C', '182,5']
  const { questions, readings } = read(values, ['unit', 'string', '°C', '%', '%', '°C', 'bar'])
  expect(questions).toEqual({})
  expect(readings.value).toMatchObject({ units: ['%', '°c'] })
})
