import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { countRefusedChanges } from '../../support/changed-bytes.ts'
import { PARQUET_ROWS, readParquetFile } from '../../support/parquet-files.ts'
import { readTables, readWithoutKeeping } from '../../support/read-tables.ts'
import { createZip } from '../../support/xlsx-by-hand.ts'

const readTable = async (name: string) => (await readTables(`${name}.parquet`, readParquetFile(name)))[0]!
const readRecords = async (name: string) => {
  const { columns, rows } = await readTable(name)
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])))
}

describe('a Parquet file', () => {
  it.each(['arrow-dictionary', 'arrow-deltas', 'duckdb'])('%s.parquet has exactly the values written', async (name) => {
    expect(await readRecords(name)).toEqual(PARQUET_ROWS)
  })

  it.each(['snappy', 'gzip', 'brotli', 'zstd', 'lz4'])(
    'arrow-%s.parquet with several row groups is read',
    async (codec) => {
      const expected = PARQUET_ROWS.map(({ id, name, price, day }) => ({ id, name, price, day }))
      expect(await readRecords(`arrow-${codec}`)).toEqual(expected)
    },
  )

  it('may have pages of several zstd blocks', async () => {
    const { rows } = await readTable('arrow-large-page')
    expect(rows).toEqual(Array.from({ length: 12_000 }, (_, row) => [`text ${'abc'.repeat(6)} ${row % 10}`]))
  })

  it('reads timestamps of 96 bits to the microsecond', async () => {
    expect((await readTable('arrow-int96')).rows).toEqual([['2024-02-29T01:02:03.000004'], ['1900-01-01T00:00:00']])
  })

  it('reads lists and maps as JSON', async () => {
    expect((await readTable('arrow-nested')).rows).toEqual([
      ['{"k":1,"l":null}', '[{"x":1,"y":["a"]}]'],
      [null, '[]'],
      ['{}', null],
    ])
  })

  it('may have no rows', async () => {
    expect(await readTable('arrow-empty')).toMatchObject({ columns: ['id', 'name'], rows: [] })
  })

  it('is read inside archives', async () => {
    const bytes = readParquetFile('duckdb')
    for (const [name, archive] of [
      ['a.zip', createZip({ 'b.parquet': bytes })],
      ['a.parquet.gz', gzipSync(bytes)],
    ] as const)
      expect((await readTables(name, archive))[0]!.rows).toHaveLength(PARQUET_ROWS.length)
  })

  it('with binary data is refused by row and column', async () => {
    await expect(readTable('arrow-binary')).rejects.toThrow('Row 2: b has a value that is not text')
  })

  it('whose page has another checksum is refused', async () => {
    const bytes = readParquetFile('arrow-snappy')
    bytes[bytes.indexOf('q"')]! ^= 1
    await expect(readWithoutKeeping('a.parquet', bytes)).rejects.toThrow('a page has another checksum')
  })

  it.each(['arrow-deltas', 'arrow-dictionary', 'arrow-lz4', 'arrow-brotli', 'arrow-nested', 'duckdb'])(
    'with changed bytes (%s) is read or refused with the reason',
    async (name) => {
      const bytes = readParquetFile(name)
      expect(await countRefusedChanges('a.parquet', bytes, 4, bytes.length - 4)).toBeGreaterThan(0)
    },
  )
})
