/** Workbooks copy most texts as bytes of JSON; the others are encoded character by character. */
import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { writeOds } from '../../../lib/files/export/workbook/ods.ts'
import type { WrittenSheet } from '../../../lib/files/export/workbook/sheet.ts'
import { writeXlsx } from '../../../lib/files/export/workbook/xlsx.ts'
import { writeRows } from '../../support/export-rows.ts'
import { encodeNaively, encodeOdsRows } from '../../support/naive-exports.ts'
import { collectBytes } from '../../support/read-tables.ts'

const SPACES = [...' \t\n\u00a0\u1680\u2003\u2028\u3000\ufeff', '  ']
const ESCAPED = [...'"\\/<>&\'', '&amp;', ']]>', '_', '_x0041_', '_x', '\\"', '\\u0041', '\\\\']
const INVALID = [...'\u0000\u0007\u007f\u0080\u0085\u009f\ud800\udfff\ufffe\uffff']
const LETTERS = [...'aZ0-=+@é£©½ßÿƀ߿ࠀ漢\ue000ﬀ\ufffd😀', '\u{10ffff}']

const text = fc
  .array(fc.oneof(fc.constantFrom(...SPACES, ...ESCAPED, ...INVALID, ...LETTERS), fc.string({ unit: 'binary' })), {
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''))
const digits = (max: number, length: number) => fc.nat(max).map((number) => String(number).padStart(length, '0'))
const day = fc.tuple(digits(9999, 4), digits(13, 2), digits(32, 2)).map((parts) => parts.join('-'))
const closeDay = fc.constantFrom(
  ...['1582-10-14', '1582-10-15', '1900-02-28', '1900-03-01', '1900-02-29', '2000-02-29', '2024-02-29', '2023-02-29'],
  ...['2024-12-31', '0099-01-01', '0100-01-01', '2024-1-01', '2024-01-0a', '2024/01/01', '2024-00-01', '2024-01-00'],
)
const number = fc.oneof(
  fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const TYPES = ['string', 'date', 'number', 'string']
const HEADER = ['a', 'b', 'c', 'd']

async function write(create: typeof writeXlsx, rows: readonly (readonly unknown[])[]): Promise<Map<string, string>> {
  const sheet: WrittenSheet = { name: 'S', header: HEADER, types: TYPES, rows: writeRows(rows) }
  const parts = unzipSync(await collectBytes(create([sheet])))
  return new Map(Object.entries(parts).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
}

async function expectNaive(rows: readonly (readonly unknown[])[]): Promise<void> {
  // Minus zero is 0 in JSON.
  const plainRows = rows.map((row) => row.map((value) => (Object.is(value, -0) ? 0 : value)))
  const table = { name: 'S', keys: HEADER, header: HEADER, types: TYPES, rows: plainRows }
  const xlsx = await write(writeXlsx, rows)
  expect(xlsx.get('xl/worksheets/sheet1.xml')).toBe(encodeNaively(table).xlsx)
  const content = (await write(writeOds, rows)).get('content.xml')!
  const [, written] = /<\/table:table-header-rows>(.*)<\/table:table>/s.exec(content)!
  expect(written).toBe(encodeOdsRows(table))
}

describe('workbooks', () => {
  it('have every text, date and number as a plain encoder writes it', async () => {
    const row = fc.tuple(text, fc.oneof(day, closeDay, text), fc.oneof(number, text), fc.option(text))
    await fc.assert(fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 10 }), expectNaive), { numRuns: 300 })
  })

  it('have each character at the start, in the middle and at the end', async () => {
    const characters = [...SPACES, ...ESCAPED, ...INVALID, ...LETTERS]
    await expectNaive(characters.map((character) => [character, `${character}a`, `a${character}`, `a${character}a`]))
  })

  it('have texts of up to 32,767 characters', async () => {
    for (const character of ['a', 'é', '"', '&', '漢', '\n'])
      await expectNaive([[character.repeat(32_767), null, 1, 'x']])
    const tooLong = [['a'.repeat(32_768), null, null, null]]
    await expect(write(writeXlsx, tooLong)).rejects.toThrow('32,767')
    await expect(write(writeOds, tooLong)).rejects.toThrow('32,767')
  })
})
