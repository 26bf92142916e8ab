import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { describe, expect, it } from 'vitest'
import { interpretColumn } from '../../../lib/mapping/interpret.ts'
import { interpretRecords } from '../../../lib/mapping/interpret-records.ts'
import {
  createMessageWriter,
  encodeMessages,
  readMessages,
  writeMessages,
} from '../../../lib/records/format/message-chunk.ts'
import { differsFromText, MAX_ORIGINAL_LENGTH, noteOriginal, ReadCell } from '../../../lib/values/read-cell.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { readColumn, THIS_YEAR } from './read-column.ts'

const field = (format: string) => ({ key: 'contact', type: 'string', metadata: { format } })

function assertReadOrAsked(format: string, texts: readonly string[], values: readonly string[]): void {
  for (const [index, read] of readColumn(field(format), texts).values.entries())
    if ('value' in read) expect(read.value, texts[index]).toBe(values[index])
    else expect(read.problem, texts[index]).toBe('ambiguous')
}

const PHONES = ['+4930901820', '+33142764040', '+12024561111', '+442079460958', '+48222345678', '+390612345678']
const PHONE_FORMS: readonly ((phone: string) => string)[] = [
  (phone) => phone,
  (phone) => parsePhoneNumberFromString(phone)!.formatInternational(),
  (phone) => parsePhoneNumberFromString(phone)!.formatNational(),
  (phone) => parsePhoneNumberFromString(phone)!.getURI(),
  (phone) => ` 00${phone.slice(1)}\u00a0`,
]

const EMAIL_FORMS: readonly ((email: string) => string)[] = [
  (email) => email,
  (email) => `MAILTO:${email}`,
  (email) => `Ada <${email}>`,
  (email) => `<${email}>;`,
  (email) => email.replace('@', ' @ '),
  (email) => `${email} (Ada)`,
]

const TIME_FORMS: readonly ((hour: number, minute: string) => string)[] = [
  (hour, minute) => `${hour}:${minute}`,
  (hour, minute) => `${String(hour).padStart(2, '0')}.${minute} Uhr`,
  (hour, minute) => `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'p.m.'}`,
]

describe('a column of texts in any form of its format', () => {
  it('reads phone numbers, or asks', () => {
    const phones = fc.array(fc.tuple(fc.constantFrom(...PHONES), fc.constantFrom(...PHONE_FORMS)), { minLength: 1 })
    fc.assert(
      fc.property(phones, (rows) =>
        assertReadOrAsked(
          'phone',
          rows.map(([phone, format]) => format(phone)),
          rows.map(([phone]) => phone),
        ),
      ),
    )
  })

  it('reads all phone numbers if each row has its country', () => {
    const phones = fc.array(fc.tuple(fc.constantFrom(...PHONES), fc.constantFrom(...PHONE_FORMS)), { minLength: 1 })
    fc.assert(
      fc.property(phones, (rows) => {
        const regions = {
          field: 'country',
          values: rows.map(([phone]) => parsePhoneNumberFromString(phone)!.country),
        }
        const texts = rows.map(([phone, format]) => format(phone))
        const { values } = interpretColumn(field('phone') as Field, texts, { thisYear: THIS_YEAR, regions })
        expect(values).toEqual(rows.map(([value]) => ({ value })))
      }),
    )
  })

  it('reads times, or asks', () => {
    const time = fc.tuple(
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      fc.constantFrom(...TIME_FORMS),
    )
    const pad = (value: number): string => String(value).padStart(2, '0')
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 6 }), (rows) =>
        assertReadOrAsked(
          'time',
          rows.map(([hour, minute, format]) => format(hour, pad(minute))),
          rows.map(([hour, minute]) => `${pad(hour)}:${pad(minute)}`),
        ),
      ),
    )
  })

  it('reads email and web addresses, or asks', () => {
    const host = fc.constantFrom('example.com', 'firma.at', 'readme.md', 'sub.example.co.uk')
    const mail = (name: string, host: string): string => `${name}@${host}`
    fc.assert(
      fc.property(host, fc.constantFrom('ada', 'a.b+c', "o'neil"), fc.boolean(), (host, name, isUpper) => {
        const written = isUpper ? host.toUpperCase() : host
        const forms = EMAIL_FORMS.map((format) => format(mail(name, written)))
        assertReadOrAsked(
          'email',
          forms,
          forms.map(() => mail(name, written)),
        )
        const sites = [`https://${host}/Path`, `https://${host}`]
        assertReadOrAsked('url', [`HTTPS://${written}/Path`, written], sites)
        assertReadOrAsked('url', [`${written}/Path`, written], sites)
      }),
    )
  })
})

const FIELDS = [
  { key: 'day', type: 'date' },
  { key: 'total', type: 'number' },
  { key: 'paid', type: 'boolean' },
  { key: 'phone', type: 'string', metadata: { format: 'phone' } },
] as Field[]
const TEXTS: Record<string, readonly string[]> = {
  day: ['31.12.20', '01/02/2021', '2021-01-02', '30.02.2021', '1. März 2021', 'soon', ''],
  total: ['1.234', '1.234,50 €', ' 5 ', '5.00', '(7)', '12 kg', 'many', '0'],
  paid: ['ja', 'false', ' true', 'TRUE', 'x', 'perhaps', 'n'],
  phone: ['+49 30 901820', '030 901820', '+4930901820', 'call'],
}

describe('originals', () => {
  it('or the texts themselves stay with every written value', () => {
    const record = fc.record(
      Object.fromEntries(FIELDS.map(({ key }) => [key, fc.constantFrom(...TEXTS[key]!)])) as Record<
        string,
        fc.Arbitrary<string>
      >,
    )
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (rows) => {
        const written = rows.map((row) => ({
          values: Object.fromEntries(Object.entries(row).map(([key, value]) => [key, { value }])),
        }))
        for (const [index, { values }] of interpretRecords(FIELDS, written, THIS_YEAR).entries())
          for (const { key } of FIELDS) {
            const text = rows[index]![key]!
            const cell: unknown = values[key]!.value
            if (cell instanceof ReadCell && cell.note.type === 'info') expect(cell.note.original).toBe(text)
            else if (cell instanceof ReadCell) expect(cell.value).toBe(text)
            else if (cell !== text) expect(differsFromText(cell, text), `${text} -> ${cell}`).toBe(false)
          }
      }),
    )
  })

  it('are the same after they were stored', () => {
    const cell = fc.tuple(
      fc.nat(300),
      fc.constantFrom('day', 'total'),
      fc.string({ maxLength: 2000, unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(cell, { selector: ([row, key]) => `${row} ${key}` }), (cells) => {
        const writer = createMessageWriter()
        const notes = cells.map(([row, key, text]) => ({ row, key, note: noteOriginal(key, 1, text).note }))
        for (const { row, key, note } of notes) writeMessages(writer, row, key, 'hooks', [note])
        const stored = readMessages(encodeMessages(writer))
        for (const { row, key, note } of notes) expect(stored.get(row)?.get(key)?.hooks).toEqual([note])
        expect([...stored.values()].reduce((sum, { size }) => sum + size, 0)).toBe(cells.length)
      }),
    )
  })

  it('are cut at their limit', () => {
    const { original } = noteOriginal('day', 1, 'x'.repeat(MAX_ORIGINAL_LENGTH + 1)).note
    expect(original).toBe(`${'x'.repeat(MAX_ORIGINAL_LENGTH)}…`)
  })
})
