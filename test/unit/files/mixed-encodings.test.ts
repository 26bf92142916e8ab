import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../../lib/files/extract/formats.ts'
import { createFileBytes, readTables } from '../../support/read-tables.ts'

const HEADER = 'name,city\n'
const utf8 = (text: string) => Buffer.from(text)
const latin = (text: string) => iconv.encode(text, 'windows-1252')
const join = (...parts: Buffer[]) => Buffer.concat(parts)
const repeat = (count: number, line: (row: number) => Buffer) =>
  join(...Array.from({ length: count }, (_, row) => line(row)))

const names = async (bytes: Buffer, chunkBytes?: number) =>
  (await readTables('a.csv', bytes, {}, chunkBytes))[0]!.rows.map(([name]) => name)

async function describeReading(bytes: Buffer) {
  let source = await openSource(createFileBytes('a.csv', bytes))
  for (let attempt = 0; attempt < 3; attempt++)
    try {
      for await (const _ of source.parts());
      return { encoding: source.encoding, mixed: source.getMixedLines?.() }
    } catch (error) {
      source = (error as { source: typeof source }).source
    }
  throw new Error('The file was read three times.')
}

describe('a text file with lines in two encodings', () => {
  it('has each line as it was written, and says so', async () => {
    const bytes = join(utf8(`${HEADER}Zoë,Köln\nŁukasz,Łódź\n`), latin('Jürgen,München\n'), utf8('Ñandú,Århus\n'))
    expect(await names(bytes)).toEqual(['Zoë', 'Łukasz', 'Jürgen', 'Ñandú'])
    expect(await describeReading(bytes)).toEqual({
      encoding: undefined,
      mixed: { count: 1, encoding: 'windows-1252', main: 'UTF-8' },
    })
  })

  it('has the few lines in UTF-8 among others', async () => {
    const bytes = join(
      latin(HEADER),
      repeat(30, (row) => latin(`Jürgen ${row},Straße\n`)),
      utf8('Zoë,Łódź\n'),
    )
    expect((await names(bytes)).slice(-2)).toEqual(['Jürgen 29', 'Zoë'])
    expect((await describeReading(bytes)).mixed).toEqual({ count: 1, encoding: 'UTF-8', main: 'windows-1252' })
  })

  it.each([7, 64 * 1024])(
    'is the same below the sample, in chunks of %i bytes',
    async (chunkBytes) => {
      const many = (text: string) => repeat(12_000, (row) => utf8(`${text} ${row},Köln\n`))
      const bytes = join(utf8(HEADER), many('Zoë'), latin('Jürgen,Straße\r\n'), many('Łukasz'), latin('Jörg,x\n'))
      const read = await names(bytes, chunkBytes)
      expect(read).toHaveLength(24_002)
      expect([read[0], read[12_000], read[24_000], read[24_001]]).toEqual(['Zoë 0', 'Jürgen', 'Łukasz 11999', 'Jörg'])
    },
    30_000,
  )

  it('is read after a sample of plain letters, whichever encoding comes first', async () => {
    const plain = repeat(30_000, (row) => utf8(`Ada ${row},Paris\n`))
    const bytes = join(utf8(HEADER), plain, latin('Jürgen,x\n'), utf8('Zoë,Łódź\n'), plain)
    expect((await names(bytes)).filter((name) => !name!.startsWith('Ada'))).toEqual(['Jürgen', 'Zoë'])
  })

  it('has its header in either encoding', async () => {
    const rows = utf8('Zoë,Köln\nŁukasz,Łódź\n'.repeat(10))
    const [table] = await readTables('a.csv', join(latin('Name,Größe\n'), rows))
    expect(table).toMatchObject({ columns: ['Name', 'Größe'], rows: { length: 20 } })
    expect(table!.rows[0]).toEqual(['Zoë', 'Köln'])
  })

  it('is read from an archive, with a byte order mark, and with old line ends', async () => {
    const bytes = join(utf8('\ufeffname,city\rZoë,x\r'), latin('Jürgen,x\r'), utf8('Łukasz,x\r'))
    expect(await names(bytes)).toEqual(['Zoë', 'Jürgen', 'Łukasz'])
    const [table] = await readTables('a.csv.gz', gzipSync(bytes))
    expect(table!.rows.map(([name]) => name)).toEqual(['Zoë', 'Jürgen', 'Łukasz'])
  })

  it.each([
    ['a character cut off', join(utf8(`${HEADER}Zoë,Köln\nMüller`), Buffer.from([0xc3]), utf8(',x\nÑu,y\n')), 3],
    ['only a character cut off', join(utf8(`${HEADER}Zoë,Köln\nMull`), Buffer.from([0xc3]), utf8(',x\nÑu,y\n')), 3],
    ['its last character cut off', join(utf8(`${HEADER}Zoë,Köln\nŁu,y\nJörg,M`), Buffer.from([0xc3])), 4],
  ])('is refused with the row of a damaged line: %s', async (_, bytes, row) => {
    await expect(readTables('a.csv', bytes)).rejects.toThrow(`In row ${row} byte `)
  })

  it('is refused if the job declares UTF-8', async () => {
    const bytes = join(utf8(`${HEADER}Zoë,Köln\n`), latin('Jürgen,München\n'))
    await expect(readTables('a.csv', bytes, { encoding: 'utf-8' })).rejects.toThrow('In row 3 byte ')
  })

  it('is read as one encoding if the job declares another', async () => {
    const bytes = join(latin(`${HEADER}Jürgen,x\n`), utf8('Zoë,y\n'))
    const [table] = await readTables('a.csv', bytes, { encoding: 'windows-1252' })
    expect(table!.rows.map(([name]) => name)).toEqual(['Jürgen', 'ZoÃ«'])
  })
})

it('a text file in one encoding has it as its encoding', async () => {
  const rows = (encode: (text: string) => Buffer) => encode(`${HEADER}Jürgen,Straße\nZoë,Köln\n`)
  expect(await describeReading(rows(utf8))).toEqual({ encoding: 'utf-8', mixed: undefined })
  expect(await describeReading(rows(latin))).toEqual({ encoding: 'windows-1252', mixed: undefined })
})
