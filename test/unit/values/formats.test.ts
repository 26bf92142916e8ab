import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { interpretColumn } from '../../../lib/mapping/interpret.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { readColumn, summarize, THIS_YEAR } from './read-column.ts'

const field = (format: string) => ({ key: 'contact', type: 'string', metadata: { format } })
const read = (format: string, ...texts: string[]) => summarize(readColumn(field(format), texts))
const ask = (format: string, ...texts: string[]) => readColumn(field(format), texts).question

describe('a column of email addresses', () => {
  it('is read as written, with its domains in lower case only in unique fields', () => {
    const texts = [' Ada.L@Example.COM ', 'mailto:a@b.org', 'jörg@müller.de']
    expect(read('email', ...texts)).toEqual(['Ada.L@Example.COM', 'a@b.org', 'jörg@müller.de'])
    const unique = { ...field('email'), constraints: [{ type: 'unique' }] }
    expect(summarize(readColumn(unique, texts))).toEqual(['Ada.L@example.com', 'a@b.org', 'jörg@müller.de'])
  })
  it('is read without the name in front', () => {
    expect(read('email', 'Ada <a@b.org>', '"Lovelace, Ada" <Ada@B.org>', 'Ada <mailto:a@b.org>')).toEqual([
      'a@b.org',
      'Ada@B.org',
      'a@b.org',
    ])
  })
  it('is read without spaces, brackets and marks around it', () => {
    const texts = [
      '<a@b.org>',
      'a @ b.org',
      'a@ b.org',
      'a@b.org;',
      'a@b.org.',
      '<a@b.org>,',
      'a@b.org (Ada)',
      'Email: a@b.org',
      'a(at)b.org',
      "'a@b.org'",
      ',a@b.org,,',
      'a@b.org <mailto:a@b.org>',
      '[a@b.org](mailto:a@b.org)',
    ]
    expect(new Set(read('email', ...texts))).toEqual(new Set(['a@b.org']))
  })
  it.each([
    'ada',
    'ada@',
    '@example.com',
    'a@b@c.org',
    'a@b.org <c@d.org>',
    'a at b dot org',
    'a@b.org; c@d.org',
    'Ada <a@b.org> <c@d.org>',
    'a@b',
    'a b@c.org',
  ])('does not have %j', (text) => expect(read('email', text)).toEqual(['(unreadable)']))
})

describe('a field with a constraint', () => {
  const readBy = (constraint: object, text: string) =>
    readColumn({ key: 'contact', type: 'string', constraints: [constraint] }, [text])
  it('is read in the format of the constraint', () => {
    expect(summarize(readBy({ type: 'email' }, 'mailto:a@b.org'))).toEqual(['a@b.org'])
    expect(summarize(readBy({ type: 'url' }, 'www.firma.at'))).toEqual(['https://www.firma.at'])
    expect(summarize(readBy({ type: 'phone', config: { country: 'DE' } }, '030 901820'))).toEqual(['+4930901820'])
    expect(readBy({ type: 'phone', config: { countryField: 'country' } }, '030 901820')).toMatchObject({
      reading: { type: 'phone', regionField: 'country' },
      question: undefined,
    })
    expect(summarize(readBy({ type: 'unique' }, 'mailto:a@b.org'))).toEqual(['mailto:a@b.org'])
  })
})

describe('a column of phone numbers', () => {
  it('is read as E.164', () => {
    expect(read('phone', '+49 (0)30 901820', '0049 30 901820', 'tel:+1-202-456-1111')).toEqual([
      '+4930901820',
      '+4930901820',
      '+12024561111',
    ])
  })
  it('is read without the word in front and a note behind', () => {
    const phone = { key: 'contact', type: 'string', constraints: [{ type: 'phone', config: { country: 'DE' } }] }
    const texts = ['Tel. 030 901820', 'tél.: +49 30 901820', '030 901820 (privat)', 'Fax 030 901820']
    expect(summarize(readColumn(phone, texts))).toEqual([
      ...['+4930901820', '+4930901820', '+4930901820', '(unreadable)'],
    ])
  })
  it('asks for the country of national numbers', () => {
    expect(read('phone', '030 901820', '+49 30 901820')).toEqual(['(ambiguous)', '+4930901820'])
    expect(ask('phone', '030 901820', '+49 30 901820')).toEqual({
      about: 'phone-region',
      examples: ['030 901820'],
      alternatives: [{ type: 'phone', region: 'DE' }],
    })
  })
  it('takes the country of the row', () => {
    const values = ['030 901820', '01 42 76 40 40', '030 901820']
    const regions = { field: 'country', values: ['Deutschland', 'FR', 'FR'] }
    const column = interpretColumn(field('phone') as Field, values, { thisYear: THIS_YEAR, regions })
    expect(column.reading).toEqual({ type: 'phone', regionField: 'country' })
    expect(column.question).toBeUndefined()
    expect(column.values.map(({ value, problem }) => problem ?? value)).toEqual([
      '+4930901820',
      '+33142764040',
      'unreadable',
    ])
  })
  it.each(['12', '+49', 'call me', '030 901820 ext. 5', '+1 202 456 1111 or +1 202 456 1112'])(
    'does not have %j',
    (text) => expect(read('phone', '+49 30 901820', text)[1]).not.toMatch(/^\+/),
  )
})

describe('a column of web addresses', () => {
  it('gets a scheme where it cannot be anything else', () => {
    expect(read('url', 'HTTPS://Example.com/A?b=C', 'www.example.com', 'firma.at/über')).toEqual([
      'https://example.com/A?b=C',
      'https://www.example.com',
      'https://firma.at/über',
    ])
  })
  it('asks if all of it can be files', () => {
    expect(read('url', '<https://a.org/b>', 'web: www.a.org', '(www.a.org);', '[A](https://a.org)')).toEqual([
      ...['https://a.org/b', 'https://www.a.org', 'https://www.a.org', 'https://a.org'],
    ])
    expect(read('url', 'readme.md')).toEqual(['(ambiguous)'])
    expect(ask('url', 'readme.md')?.alternatives).toEqual([{ type: 'url', addScheme: true }])
  })
  it.each(['a@b.com', 'no address', 'http://', '1.5', 'https://a b.com'])('does not have %j', (text) =>
    expect(read('url', text)).toEqual(['(unreadable)']),
  )
})

describe('a column of times', () => {
  it('is read as 24 hours', () => {
    expect(read('time', '9:05', '14.30 Uhr', '14h30', '23:59:58', '0:00')).toEqual([
      '09:05',
      '14:30',
      '14:30',
      '23:59:58',
      '00:00',
    ])
    expect(read('time', '14 h 15', '15u30', 'ore 18.30', 'às 8:00', 'godz. 7:05', '16 uur', '18 Uhr 30')).toEqual([
      ...['14:15', '15:30', '18:30', '08:00', '07:05', '16:00', '18:30'],
    ])
    expect(read('time', '2:30 pm', '12 a.m.', '12:15 PM')).toEqual(['14:30', '00:00', '12:15'])
  })
  it('asks about a bare hour next to pm', () => {
    expect(read('time', '2:30 pm', '3:15', '15:00')).toEqual(['14:30', '(ambiguous)', '15:00'])
    expect(ask('time', '2:30 pm', '3:15')).toMatchObject({ about: 'time-of-day', examples: ['3:15'] })
  })
  it.each(['25:00', '12:60', '13 pm', '14', 'noon', '2021-01-02 14:30'])('does not have %j', (text) =>
    expect(read('time', text)).toEqual(['(unreadable)']),
  )
})

describe('options that are states of the USA', () => {
  const states = (...codes: string[]) =>
    ({ key: 'state', type: 'enum', config: { options: codes.map((value) => ({ value })) } }) as Field
  const match = (options: Field, ...texts: string[]) =>
    suggestValues(texts, options)!.mapping!.map(({ destinationValue }) => destinationValue)
  it('match by name', () => {
    expect(match(states('CA', 'NY', 'WA', 'TX'), 'California', 'new york', 'Washington', 'Texas')).toEqual([
      'CA',
      'NY',
      'WA',
      'TX',
    ])
  })
  it('are countries where all of them are', () => {
    expect(match(states('CA', 'DE', 'IN'), 'Canada', 'Germany', 'India')).toEqual(['CA', 'DE', 'IN'])
  })
})
