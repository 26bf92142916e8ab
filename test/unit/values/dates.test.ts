/** Texts that parse as a date, and the reasons for those that do not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDate } from '../../../lib/values/dates.ts'

describe('date', () => {
  it.each([
    '2020-01-02',
    '2020-1-2',
    '2020/01/02',
    '2020.01.02',
    '20200102',
    '2 Jan 2020',
    '02-Jan-2020',
    '2/Jan/2020',
    '2. January 2020',
    '2nd January 2020',
    'Jan 2, 2020',
    'JAN 2 2020',
    'January 2 2020',
    'January 2nd, 2020',
    '2020-Jan-02',
    '2020 January 2',
    'Thu, 02 Jan 2020 00:00:00 GMT',
    'Thu, 2 Jan 2020 00:00:00 +0000',
    'Thu Jan 02 2020 00:00:00 GMT+0100 (Central European Standard Time)',
    'Thu Jan 02 2020',
    'Thursday, January 2, 2020',
    '2020-01-02T00:00Z',
    '2020-01-02T00:00:00',
    '2020-01-02T00:00:00.000Z',
    '2020-01-02 00:00:00',
    '2020-01-02 00:00:00.000 UTC',
    '2020-01-02T00:00:00+02:00',
    'January 2, 2020 12:00 AM',
    ' 2020-01-02 ',
  ])('is parsed from %j', (text) => {
    expect(readDate(text)).toEqual({ date: '2020-01-02' })
  })

  it.each([
    ['13.02.2020', '2020-02-13'],
    ['25/12/2020', '2020-12-25'],
    ['12/25/2020', '2020-12-25'],
    ['25-12-2020', '2020-12-25'],
    ['2/29/2024', '2024-02-29'],
    ['1/13/2020, 12:00:00 AM', '2020-01-13'],
    ['02/02/2020', '2020-02-02'],
    ['29 Feb 2024', '2024-02-29'],
    ['Sept 5, 1999', '1999-09-05'],
  ])('is parsed from %j, which is unambiguous', (text, date) => {
    expect(readDate(text)).toEqual({ date })
  })

  it.each([
    ['01/02/2020', 'ambiguous'],
    ['1.2.2020', 'ambiguous'],
    ['12-11-2020', 'ambiguous'],
    ['1/13/20', 'short-year'],
    ['2 Jan 20', 'short-year'],
    ['31/02/2020', 'impossible'],
    ['13/13/2020', 'impossible'],
    ['2020-13-01', 'impossible'],
    ['29 Feb 2023', 'impossible'],
    ['2023/02/29', 'impossible'],
    ['0/1/2020', 'impossible'],
    ['Fri, 02 Jan 2020 00:00:00 GMT', 'impossible'],
    ['2020-01-02T10:00:00Z', 'time'],
    ['2020-01-02T23:00:00.000Z', 'time'],
    ['2 Jan 2020 12:00 PM', 'time'],
    ['2020-01-02T00:00:00.001Z', 'time'],
    ['43832', 'unreadable'],
    ['1577923200', 'unreadable'],
    ['20102011', 'unreadable'],
    ['20101311', 'impossible'],
    ['10102011', 'unreadable'],
    ['2 Janvier 2020', 'unreadable'],
    ['2020', 'unreadable'],
    ['Jan 2020', 'unreadable'],
    ['2020-01/02', 'unreadable'],
    ['yesterday', 'unreadable'],
    ['Thu', 'unreadable'],
    ['', 'unreadable'],
    ['2020-01-02 and more', 'unreadable'],
    ['1'.repeat(200), 'unreadable'],
  ])('is not parsed from %j: %s', (text, problem) => {
    expect(readDate(text)).toEqual({ problem })
  })

  it('is parsed to the same day from every common format', () => {
    const time = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) })
    fc.assert(
      fc.property(time, (at) => {
        const day = new Date(Math.floor(at / 86_400_000) * 86_400_000)
        if (day.getUTCFullYear() < 100) day.setUTCFullYear(day.getUTCFullYear() + 100)
        const expected = { date: day.toISOString().slice(0, 10) }
        const long = { dateStyle: 'full', timeZone: 'UTC' } as const
        for (const text of [day.toISOString(), day.toUTCString(), expected.date.replaceAll('-', '/')])
          expect(readDate(text)).toEqual(expected)
        if (day.getUTCFullYear() >= 1000)
          for (const locale of ['en-US', 'en-GB'])
            expect(readDate(new Intl.DateTimeFormat(locale, long).format(day))).toEqual(expected)
      }),
    )
  })
})
