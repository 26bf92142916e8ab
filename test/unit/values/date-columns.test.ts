import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../lib/values/languages.ts'
import { readValue } from '../../../lib/values/read-column.ts'
import { readColumn, summarize, THIS_YEAR } from './read-column.ts'

const date = { key: 'day', type: 'date' }
const read = (...texts: string[]) => summarize(readColumn(date, texts))

describe('a column of dates', () => {
  it.each<[string[], string[]]>([
    [
      ['1. Mrz 2021', '1.März 2021', '1 fév 2021', '05-Mar-21', '1. Jänner 2021'],
      ['2021-03-01', '2021-03-01', '2021-02-01', '2021-03-05', '2021-01-01'],
    ],
    [
      ['31/12/2020', '01/02/2021'],
      ['2020-12-31', '2021-02-01'],
    ],
    [
      ['12/31/2020', '01/02/2021'],
      ['2020-12-31', '2021-01-02'],
    ],
    [
      ['01.02.2021', '3. 4. 2021', '05.06.21'],
      ['2021-02-01', '2021-04-03', '2021-06-05'],
    ],
    [
      ['31-12-2020', '01-02-2021'],
      ['2020-12-31', '2021-02-01'],
    ],
    [
      ['31/12/20', '01/02/21', '15/03/98'],
      ['2020-12-31', '2021-02-01', '1998-03-15'],
    ],
    [
      ['99-12-31', '21-02-03'],
      ['1999-12-31', '2021-02-03'],
    ],
    [
      ['2020-01-02', '31.12.2020', 'Jan 2, 2021', '2. März 2021', '20210304'],
      ['2020-01-02', '2020-12-31', '2021-01-02', '2021-03-02', '2021-03-04'],
    ],
    [
      ['1er mars 2021', '12-déc-20', '3 févr. 2021'],
      ['2021-03-01', '2020-12-12', '2021-02-03'],
    ],
    [
      ['1 de marzo de 2021', '1º de março de 2021', '1 de mar. de 2021'],
      ['2021-03-01', '2021-03-01', '2021-03-01'],
    ],
    [
      ['1 marca 2021 r.', '2 paź 2021', 'środa, 3 marca 2021'],
      ['2021-03-01', '2021-10-02', '2021-03-03'],
    ],
    [
      ['Montag, den 1. März 2021', 'mar. 2 mars 2021', 'lunes, 1 de marzo de 2021'],
      ['2021-03-01', '2021-03-02', '2021-03-01'],
    ],
    [
      ['Mon, 01 Mar 2021 00:00:00 +0000', '2021-03-01T00:00:00Z', '01.03.2021 00:00'],
      ['2021-03-01', '2021-03-01', '2021-03-01'],
    ],
  ])('%j is read as %j', (texts, days) => {
    expect(read(...texts)).toEqual(days)
  })

  it('without a day above 12 is a question', () => {
    const column = readColumn(date, ['01/02/2021', '03/03/2021', '2021-05-06', '04/05/21'])
    expect(summarize(column)).toEqual(['(ambiguous)', '2021-03-03', '2021-05-06', '(ambiguous)'])
    expect(column.question).toMatchObject({ about: 'day-month-order', examples: ['01/02/2021', '04/05/21'] })
    expect(column.question!.alternatives.map((reading) => readValue(reading, '01/02/2021'))).toEqual([
      { value: '2021-02-01' },
      { value: '2021-01-02' },
    ])
  })

  it('with days above 12 in both places is a question about the other days', () => {
    const column = readColumn(date, ['25/12/2020', '12/25/2020', '01/02/2020'])
    expect(summarize(column)).toEqual(['2020-12-25', '2020-12-25', '(ambiguous)'])
    expect(column.question?.about).toBe('day-month-order')
  })

  it('with hyphens and short years is a question unless only one order is possible', () => {
    expect(read('20-12-21')).toEqual(['(ambiguous)'])
    expect(read('20-12-31', '31-12-2020')).toEqual(['2031-12-20', '2020-12-31'])
  })

  it('with hyphens and short years has days first if others have', () => {
    const written = ['23/04/2022', '02/05/2022', '14/05/2023']
    expect(read('11-02-22', '17-04-23', ...written).slice(0, 2)).toEqual(['2022-02-11', '2023-04-17'])
    expect(read('11-02-22', '22-04-23', ...written).slice(0, 2)).toEqual(['(ambiguous)', '(ambiguous)'])
    expect(read('11-02-22', '23/04/2022')).toEqual(['(ambiguous)', '2022-04-23'])
    expect(read('13-01-01', '01.01.1970')).toEqual(['(ambiguous)', '1970-01-01'])
    expect(read('2022-04-23', '11-02-22', '23-04-22')).toEqual(['2022-04-23', '(ambiguous)', '(ambiguous)'])
  })

  it('that varies more at its end may start with a short year', () => {
    expect(read('21/02/13', '21/02/14', '21/02/15')).toEqual(['(ambiguous)', '(ambiguous)', '(ambiguous)'])
  })

  it('with short years of births and of the future is a question about the future ones', () => {
    const column = readColumn(date, ['31.12.62', '15.03.35'])
    expect(summarize(column)).toEqual(['1962-12-31', '(short-year)'])
    expect(column.question).toMatchObject({ about: 'century', examples: ['15.03.35'] })
    expect(column.question!.alternatives.map((reading) => readValue(reading, '15.03.35'))).toEqual([
      { value: '1935-03-15' },
      { value: '2035-03-15' },
    ])
    expect(read('31.12.24', '15.03.35')).toEqual(['2024-12-31', '2035-03-15'])
  })

  it('with short years of births is never in the future', () => {
    const birth = { ...date, label: 'Date of birth' }
    expect(summarize(readColumn(birth, ['31.12.62', '15.03.35', '01.02.19']))).toEqual([
      ...['1962-12-31', '1935-03-15', '2019-02-01'],
    ])
  })

  it('that has only serial numbers is read', () => {
    expect(read('43832', '44197')).toEqual(['2020-01-02', '2021-01-01'])
    expect(read('45296.61944', '45297', '45298,5')).toEqual(['2024-01-05', '2024-01-06', '2024-01-07'])
  })

  it('has serial numbers only near its written dates', () => {
    expect(read('43832', '2020-01-02', '50667')).toEqual(['2020-01-02', '2020-01-02', '(unreadable)'])
    expect(read('45296.61944', '31.12.23 10:15', '40179')).toEqual(['2024-01-05', '2023-12-31', '(unreadable)'])
    expect(read('43832', 'soon')).toEqual(['(unreadable)', '(unreadable)'])
    expect(read('43832', '02.01.0020', '02.01.2020')).toEqual(['2020-01-02', '0020-01-02', '2020-01-02'])
  })

  it('does not read serial numbers that all fit its dates if they count from 1904', () => {
    expect(read('43832', '2024-01-02')).toEqual(['(unreadable)', '2024-01-02'])
    expect(read('43832', '44197', '2020-01-02', '31.12.2025')).toEqual([
      ...['2020-01-02', '2021-01-01', '2020-01-02', '2025-12-31'],
    ])
  })

  it('that has only timestamps is read in seconds and milliseconds', () => {
    expect(read('1710460800', '1710546000')).toEqual(['2024-03-15', '2024-03-15'])
    expect(read('1710460800000', '1710547199999')).toEqual(['2024-03-15', '2024-03-15'])
    expect(read('1710460800', '2024-03-15')).toEqual(['(unreadable)', '2024-03-15'])
    expect(read('1710460800', '45366')).toEqual(['(unreadable)', '(unreadable)'])
    expect(read('0301234567', '4930123456')).toEqual(['(unreadable)', '(unreadable)'])
  })

  it('has the order of its digits from days above 12, and asks without', () => {
    expect(read('31012024', '01022024', '1032024')).toEqual(['2024-01-31', '2024-02-01', '2024-03-01'])
    expect(read('01312024', '2012024')).toEqual(['2024-01-31', '2024-02-01'])
    expect(read('20240131', '20122024', '31122019')).toEqual(['2024-01-31', '2024-12-20', '2019-12-31'])
    expect(read('01022024', '03042024', '05052024')).toEqual(['(ambiguous)', '(ambiguous)', '2024-05-05'])
    expect(read('31022024', '31012024', '13132024')).toEqual(['(impossible)', '2024-01-31', '(impossible)'])
  })

  it('is read without its times, and keeps days that do not exist and other texts', () => {
    expect(read('01.03.2021 10:30', '30.02.2021', 'soon', 'Mo, 02.03.2021', '31.12.2020')).toEqual([
      '2021-03-01',
      '(impossible)',
      '(unreadable)',
      '(impossible)',
      '2020-12-31',
    ])
  })
})

const DAY_MS = 86_400_000
const toTime = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day)
const time = fc
  .integer({ min: toTime(THIS_YEAR - 79, 1, 1) / DAY_MS, max: toTime(THIS_YEAR + 20, 12, 31) / DAY_MS })
  .map((day) => day * DAY_MS)
const times = fc.array(time, { minLength: 1, maxLength: 6 })
const toIso = (at: number) => new Date(at).toISOString().slice(0, 10)

type Format = (at: number) => string
const FORMS: Format[] = ['dmy', 'mdy', 'ymd'].flatMap((order) =>
  ['/', '-', '.'].flatMap((mark) =>
    ['long', 'short', 'bare'].flatMap((width): Format[] => {
      if (order === 'mdy' && mark === '.') return []
      if (order === 'ymd' && mark !== '-' && width !== 'long') return []
      return [
        (at) => {
          const [year, month, day] = toIso(at).split('-') as [string, string, string]
          const y = width === 'short' ? year.slice(2) : year
          const [m, d] = width === 'bare' ? [String(Number(month)), String(Number(day))] : [month, day]
          const parts = { d, m, y } as Record<string, string>
          return [...order].map((part) => parts[part]).join(mark)
        },
      ]
    }),
  ),
)
const DIGITS: Format[] = [
  (at) => toIso(at).replaceAll('-', ''),
  (at) => toIso(at).split('-').reverse().join(''),
  (at) => toIso(at).split('-').reverse().join('').replace(/^0/, ''),
  (at) => toIso(at).replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1'),
]
const NAMED: Format[] = LANGUAGES.flatMap((language) =>
  (['full', 'long', 'medium'] as const).map((dateStyle) => {
    const format = new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' })
    return (at: number) => format.format(at)
  }),
)

function assertSameDays(texts: readonly string[], at: readonly number[]): void {
  const column = readColumn(date, texts)
  for (const [index, result] of column.values.entries()) {
    if ('value' in result) expect(result.value, JSON.stringify(texts)).toBe(toIso(at[index]!))
    else expect(column.question, JSON.stringify(texts)).toBeDefined()
  }
}

describe('a column of dates with other evidence', () => {
  it('has the order that fits the days of the week', () => {
    expect(read('ma 02-09-2024', '03-09-2024')).toEqual(['2024-09-02', '2024-09-03'])
    expect(read('Mon 09-02-2024', '09-03-2024')).toEqual(['2024-09-02', '2024-09-03'])
    expect(read('Wed 02-09-2024', '03-09-2024')).toEqual(['(ambiguous)', '(ambiguous)'])
  })
  it('starts or ends with the years if only few numbers can be years', () => {
    const days = ['03', '16', '31', '15', '26']
    expect(read(...days.map((day) => `${day}-03-24`))).toEqual(days.map((day) => `2024-03-${day}`))
    expect(read(...days.map((day) => `24-03-${day}`))).toEqual(days.map((day) => `2024-03-${day}`))
    expect(read(...days.slice(0, 4).map((day) => `${day}-03-24`))[1]).toBe('(ambiguous)')
    expect(read('19-06-24', '20-06-24', '21-06-24', '22-06-24', '23-06-24')[0]).toBe('(ambiguous)')
  })
  it('is read with times in zones by name', () => {
    expect(read('5/3/24 11:08 PM EDT', '2/19/24 7:26 PM EST', '3/1/24 0:00 CEST')).toEqual([
      '2024-05-03',
      '2024-02-19',
      '2024-03-01',
    ])
  })
})

describe('dates with additions', () => {
  it('are read behind the signs of birth and death', () => {
    expect(read('*05.06.1950', '† 23.12.2016')).toEqual(['1950-06-05', '2016-12-23'])
  })

  it('are empty where there never was one', () => {
    expect(read('2025-01-12', 'never', 'jamais')).toEqual(['2025-01-12', null, null])
  })
  it('are read with the day of the week behind them', () => {
    expect(read('02/13/2025 (Thu)', '02/03/2025')).toEqual(['2025-02-13', '2025-02-03'])
    expect(read('13.02.2025, Do.', '14.02.2025 (Do)')).toEqual(['2025-02-13', '(impossible)'])
  })
  it('are read with times without a colon, behind a year', () => {
    expect(read('3.2.2025 8.15', '12.2.2025 klo 17.42')).toEqual(['2025-02-03', '2025-02-12'])
    expect(read('13/03/2024 à 8h15', '14/03/2024 08h15')).toEqual(['2024-03-13', '2024-03-14'])
    expect(read('13/03/2024 10h', '14/03/2024 14.00 uur', '15/03/2024 9 Uhr')).toEqual([
      ...['2024-03-13', '2024-03-14', '2024-03-15'],
    ])
    expect(read('1.2.2025 25.10', '1.2.25 3.4')).toEqual(['(unreadable)', '(unreadable)'])
  })
})

const toSerial = (at: number): string => String(at / DAY_MS + 25_569)

describe('dates with words and marks around them', () => {
  it.each<[string, string]>([
    ['04.10.2023 godz. 18:20', '2023-10-04'],
    ['den 5 maart 2024', '2024-03-05'],
    ['*12.05.1961', '1961-05-12'],
    ['5 . 3 . 2024', '2024-03-05'],
    ['05.03.2024;', '2024-03-05'],
    ['14.06.1951 (72 J.)', '1951-06-14'],
    ['14.III.2024', '2024-03-14'],
    ["13.03.'24", '2024-03-13'],
    ['ab 01.04.2024', '(unreadable)'],
    ['~12.03.2024', '(unreadable)'],
    ['12.03.2024?', '(unreadable)'],
    ['01.03.2024 - 05.03.2024', '(unreadable)'],
    ['14.XIII.2024', '(unreadable)'],
  ])('%j is %s', (text, value) => expect(read(text)).toEqual([value]))
})

describe('dates written in one form', () => {
  it('next to day numbers are read as the same day or not at all', () => {
    fc.assert(
      fc.property(
        times,
        fc.constantFrom(...NAMED),
        fc.constantFrom('', '.0', '.5', ',61944'),
        (at, named, fraction) => {
          const texts = at.map((one, index) => (index % 2 ? `${toSerial(one)}${fraction}` : named(one)))
          for (const [index, result] of readColumn(date, texts).values.entries())
            if ('value' in result) expect(result.value, JSON.stringify(texts)).toBe(toIso(at[index]!))
            else expect(index % 2, JSON.stringify(texts)).toBe(1)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are read as the same day, or are a question', () => {
    fc.assert(
      fc.property(times, fc.constantFrom(...FORMS, ...DIGITS), (at, format) => assertSameDays(at.map(format), at)),
      { numRuns: 1000 },
    )
  })

  it('with the names of a month are read as the same day in every language', () => {
    fc.assert(
      fc.property(times, fc.array(fc.constantFrom(...NAMED), { minLength: 1, maxLength: 3 }), (at, formats) => {
        const texts = at.map((one, index) => formats[index % formats.length]!(one))
        for (const [index, result] of readColumn(date, texts).values.entries())
          expect(result, texts[index]).toEqual({ value: toIso(at[index]!) })
      }),
      { numRuns: 500 },
    )
  })

  it('mixed with names and one form of numbers are read as the same day, or are a question', () => {
    fc.assert(
      fc.property(times, fc.constantFrom(...FORMS, ...DIGITS), fc.constantFrom(...NAMED), (at, numbers, named) =>
        assertSameDays(
          at.map((one, index) => (index % 2 ? named(one) : numbers(one))),
          at,
        ),
      ),
      { numRuns: 500 },
    )
  })
})
