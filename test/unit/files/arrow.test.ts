import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readArrowFile } from '../../support/arrow-files.ts'
import { countRefusedChanges } from '../../support/changed-bytes.ts'
import { PARQUET_ROWS } from '../../support/parquet-files.ts'
import { readTables } from '../../support/read-tables.ts'
import { createZip } from '../../support/xlsx-by-hand.ts'

const readTable = async (name: string) => (await readTables(name, readArrowFile(name)))[0]!
const readRecords = async (name: string) => {
  const { columns, rows } = await readTable(name)
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])))
}

describe('an Arrow file', () => {
  it.each(['plain.arrow', 'lz4.arrow', 'stream-zstd.arrows', 'default.feather', 'dictionary.arrow'])(
    '%s has exactly the values written',
    async (name) => {
      expect(await readRecords(name)).toEqual(PARQUET_ROWS)
    },
  )

  it('may have buffers of several linked LZ4 blocks', async () => {
    const { rows } = await readTable('large-buffer.arrow')
    expect(rows).toEqual(Array.from({ length: 4000 }, (_, row) => [`text ${'abc'.repeat(6)} ${row % 10}`]))
  })

  it('may extend and replace dictionaries in a stream', async () => {
    const values = (await readTable('deltas.arrows')).rows.map(([value]) => value)
    expect(values).toEqual(['x', 'y', 'z', 'x', 'other', 'new'])
  })

  it('written by Polars has views of texts and categories', async () => {
    expect(await readRecords('polars.ipc')).toEqual(
      ['a', 'b', 'a', null, 'b'].map((cat, i) => ({
        ...{ id: String(i), cat },
        name: i === 3 ? null : `Nämen med ${i} och mer`,
      })),
    )
  })

  it('reads lists, maps and rare types like a Parquet file', async () => {
    expect(await readRecords('nested.arrow')).toEqual([
      {
        ...{ m: '{"k":1,"l":null}', l: '[{"x":1,"y":["a"]}]', f: '[1.5,"NaN"]', v: '[1]', d: '[1.10]', h: '1.5' },
        ...{ n: null, s: 'short', u: '00112233-4455-6677-8899-aabbccddeeff', neg: '12300', dur: '1500' },
      },
      {
        ...{ m: null, l: '[]', f: null, v: null, d: '[null]', h: null, n: null },
        ...{ s: 'longer than twelve bytes, with ünicode', u: null, neg: null, dur: null },
      },
      {
        ...{ m: '{}', l: null, f: '[2,3.25]', v: '[2,3]', d: '[]', h: '5.960464477539063e-8', n: null, s: null },
        ...{ u: 'ffffffff-ffff-ffff-ffff-ffffffffffff', neg: '-100', dur: '-1' },
      },
    ])
  })

  it('may have no rows', async () => {
    expect(await readTable('empty.arrow')).toMatchObject({ columns: ['id', 'name'], rows: [] })
  })

  it('is read inside archives', async () => {
    const bytes = readArrowFile('stream-zstd.arrows')
    for (const [name, archive] of [
      ['a.zip', createZip({ 'b.feather': readArrowFile('default.feather') })],
      ['a.arrows.gz', gzipSync(bytes)],
    ] as const)
      expect((await readTables(name, archive))[0]!.rows).toHaveLength(PARQUET_ROWS.length)
  })

  it('is not any text that starts with the same word', async () => {
    const [table] = await readTables('a.csv', Buffer.from('ARROW1,b\n1,2\n'))
    expect(table).toMatchObject({ columns: ['ARROW1', 'b'], rows: [['1', '2']] })
  })

  it('with binary data is refused by row and column', async () => {
    await expect(readTable('binary.arrow')).rejects.toThrow('Row 2: b has a value that is not text')
  })

  it.each(['plain.arrow', 'lz4.arrow', 'stream-zstd.arrows', 'dictionary.arrow', 'nested.arrow', 'polars.ipc'])(
    'with changed bytes (%s) is read or refused with the reason',
    async (name) => {
      expect(await countRefusedChanges(name, readArrowFile(name), 8)).toBeGreaterThan(0)
    },
  )
})
