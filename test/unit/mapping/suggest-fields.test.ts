import { describe, expect, it } from 'vitest'
import { suggestFields } from '../../../lib/mapping/suggest-fields.ts'

const YEAR = 2026

function suggest(label: string, values: readonly unknown[]) {
  const column = { key: 'A', label, records: values.length, values: values.map((value) => ({ value, count: 1 })) }
  const [{ field, reasons }] = suggestFields([column], YEAR) as [ReturnType<typeof suggestFields>[number]]
  return { ...field, types: field.constraints?.map(({ type }) => type), reasons }
}
const repeat = (values: readonly unknown[], times: number): unknown[] =>
  Array.from({ length: times }, () => values).flat()

describe('suggestFields', () => {
  it.each([
    ['email addresses', 'E-mail', ['ada@example.com', 'grace@example.org', 'lin@example.net'], 'email'],
    ['web addresses', 'Site', ['https://a.example.com', 'www.b.example.org', 'https://c.example.net/x'], 'url'],
    ['times', 'Opens', ['09:00', '14:30', '8:15 pm'], 'time'],
    ['phone numbers', 'Call', ['+49 30 1234567', '030 1234567', '0171 1234567'], 'phone'],
  ])('suggests the format of %s', (_, label, values, format) => {
    expect(suggest(label, values)).toMatchObject({ type: 'string', metadata: { format } })
  })

  it.each([
    ['dates of several forms', 'Born', ['31.12.1980', '1 March 1981', '2001-02-03'], 'date'],
    ['numbers with thousands', 'Total', ['1.234,50', '7,25', '12'], 'number'],
    ['yes and no in two languages', 'Paid', repeat(['ja', 'Nein', 'yes'], 3), 'boolean'],
    ['zeros and ones', 'Active', repeat(['0', '1'], 3), 'boolean'],
    ['free texts', 'Note', ['Call her', 'Left a message on Friday', 'Ask again'], 'string'],
  ])('suggests a type for %s', (_, label, values, type) => {
    expect(suggest(label, values).type).toBe(type)
  })

  it('suggests the few different values as options, the usual spelling first', () => {
    const field = suggest('Status', [...repeat(['active', 'active', 'gone'], 4), 'ACTIVE'])
    expect(field).toMatchObject({
      type: 'enum',
      config: {
        options: [
          { value: 'active', label: 'active', alternativeNames: ['ACTIVE'] },
          { value: 'gone', label: 'gone' },
        ],
      },
    })
    expect(field.reasons[0]).toBe('2 different values in 13 rows')
  })

  it('suggests no options for a column of two rows, nor for numbers', () => {
    expect(suggest('Status', ['active', 'gone']).type).toBe('string')
    expect(suggest('Size', repeat(['38', '39', '40'], 9)).type).toBe('number')
  })

  it('requires a column without empty values and makes codes without duplicates unique', () => {
    const codes = Array.from({ length: 12 }, (_, i) => `C-${i}`)
    const field = suggest('Customer no', codes)
    expect(field.types).toEqual(['required', 'unique'])
    expect(field.reasons.slice(0, 2)).toEqual(['12 values, no duplicates', 'Never empty in 12 rows'])
    expect(suggest('Customer no', [...codes, 'n/a']).types).toEqual(['unique'])
    expect(suggest('Customer no', [...codes, 'C-1']).types).toEqual(['required'])
  })

  it('does not require numbers of which some are unknown, unlike a name of that word', () => {
    const ages = Array.from({ length: 24 }, (_, i) => String(20 + i))
    expect(suggest('Age', [...ages, 'unknown'])).toMatchObject({ type: 'number', types: [] })
    expect(suggest('Band', ['Unknown', 'The Beatles', 'Queen']).types).toEqual(['required'])
  })

  it('does not make names unique', () => {
    expect(suggest('Name', ['Ada Lovelace', 'Grace Hopper', 'Lin Lanying']).types).toEqual(['required'])
  })

  it('keeps codes of digits as texts', () => {
    expect(suggest('Postcode', ['10115', '20095', '80331']).type).toBe('string')
    expect(suggest('Account', ['0012', '0345', '9876']).type).toBe('string')
  })

  it('writes the only unit of numbers into the name of the field', () => {
    const field = suggest('Weight', ['1,5 kg', '2,75 kg', '30 kg'])
    expect(field).toMatchObject({ type: 'number', label: 'Weight (kg)', alternativeNames: ['Weight'] })
    expect(field.reasons[0]).toBe('3 of 3 values are numbers in kg')
    expect(suggest('Weight (kg)', ['1 kg', '2 kg', '3 kg'])).toMatchObject({ label: 'Weight (kg)' })
  })

  it('tolerates a tenth of other texts, which the reason counts', () => {
    const emails = Array.from({ length: 19 }, (_, i) => `a${i}@example.com`)
    const field = suggest('Mail', [...emails, 'unknown address'])
    expect(field.metadata).toEqual({ format: 'email' })
    expect(field.reasons[0]).toBe('19 of 20 values are email addresses')
    expect(suggest('Mail', ['a@example.com', 'b', 'c']).metadata).toBeUndefined()
  })

  it('writes names of programs as words, and remembers them', () => {
    expect(suggest('first_name', ['Ada', 'Lin'])).toMatchObject({
      key: 'first_name',
      label: 'First name',
      alternativeNames: ['first_name'],
    })
    expect(suggest('orderDate', ['Ada', 'Lin'])).toMatchObject({ key: 'order_date', label: 'Order date' })
  })

  it('gives columns of the same name different keys', () => {
    const column = { key: 'A', label: 'Note', records: 1, values: [{ value: 'x', count: 1 }] }
    const keys = suggestFields([column, { ...column, key: 'B' }, { ...column, label: '—' }], YEAR)
    expect(keys.map(({ column: of, field }) => [of, field.key])).toEqual([
      ['A', 'note'],
      ['B', 'note_2'],
      ['A', 'field'],
    ])
  })

  it('suggests a text for an empty column', () => {
    expect(suggest('Empty', [null, '', '-'])).toMatchObject({ type: 'string', types: [] })
  })
})
