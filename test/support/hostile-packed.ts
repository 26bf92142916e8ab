import { gzipSync } from 'node:zlib'
import type { CompressionCodec, FileMetaData, SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import type { Hostile } from './hostile-file.ts'
import { readParquetFile } from './parquet-files.ts'

const VARINT_OF_BILLIONS = [0xff, 0xff, 0xff, 0xff, 0x0f]

function endWithFooterOf(length: number): Buffer {
  const file = Buffer.from(`PAR1${'x'.repeat(40)}0000PAR1`)
  file.writeUInt32LE(length, file.length - 8)
  return file
}

function createParquetFooter(footer: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')])
}

interface ParquetDefinition {
  page?: Buffer
  packedSize?: number
  size?: number
  values?: number
  encoding?: number
  rows?: number
  codec?: CompressionCodec
  offset?: number
  columnSize?: number
  schema?: SchemaElement[]
}

function encodeNumber(value: number): number[] {
  const bytes: number[] = []
  let rest = value * 2
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}

const ONE_COLUMN: SchemaElement[] = [
  { name: 'root', num_children: 1 },
  { name: 'a', type: 'INT64', repetition_type: 'REQUIRED' },
]

/** A file with one page of a column of whole numbers, whose sizes can be wrong. */
function buildParquet(definition: ParquetDefinition): Buffer {
  const { page = Buffer.alloc(8), size = page.length, packedSize = page.length, values = 1 } = definition
  const { encoding = 0, rows = 1, codec = 'UNCOMPRESSED', offset = 4, schema = ONE_COLUMN } = definition
  const number = (value: number) => [0x15, ...encodeNumber(value)]
  const dataHeader = [...number(values), ...number(encoding), ...number(3), ...number(3), 0]
  const header = [...number(0), ...number(size), ...number(packedSize), 0x2c, ...dataHeader, 0]
  const { columnSize = header.length + page.length } = definition
  const file = new ByteWriter()
  file.appendBytes(Buffer.from('PAR1'))
  file.appendBytes(Buffer.from(header))
  file.appendBytes(page)
  const meta_data = {
    ...{ type: 'INT64', encodings: ['PLAIN'], path_in_schema: ['a'], codec, num_values: BigInt(values) },
    ...{ total_uncompressed_size: BigInt(size), total_compressed_size: BigInt(columnSize) },
    data_page_offset: BigInt(offset),
  } as const
  const group = { columns: [{ file_offset: 0n, meta_data }], total_byte_size: 0n, num_rows: BigInt(rows) }
  const metadata = { version: 1, schema, num_rows: BigInt(rows), row_groups: [group], metadata_length: 0 }
  writeMetadata(file, metadata as unknown as FileMetaData)
  file.appendBytes(Buffer.from('PAR1'))
  return Buffer.from(file.getBytes())
}

const BILLIONS = 2 ** 31 - 1

const STARTS: Record<string, string> = {
  parquet: 'PAR1',
  xls: '\xd0\xcf\x11\xe0',
  json: '[',
  jsonl: '{"a":1}\n{',
  xml: '<r>',
  html: '<table><tr><td>',
}

function patchGzip(text: string, at: number): Buffer {
  const bytes = gzipSync(text)
  bytes[bytes.length + at]! ^= 1
  return bytes
}

export const HOSTILE_PACKED: Hostile[] = [
  { name: 'cut.parquet', bytes: () => readParquetFile('duckdb').subarray(0, 2000), refusal: /damaged: it ends early/ },
  { name: 'text.parquet', bytes: () => Buffer.from('a,b\n1,2\n'), refusal: /not a valid Parquet file/ },
  { name: 'encrypted.parquet', bytes: () => Buffer.from(`PARE${'x'.repeat(40)}PARE`), refusal: /is encrypted/ },
  { name: 'footer.parquet', bytes: () => endWithFooterOf(1000), refusal: /its footer exceeds the file/ },
  {
    name: 'large-footer.parquet',
    bytes: () => endWithFooterOf(2 ** 31),
    refusal: /footer of the Parquet file has/,
  },
  {
    name: 'endless.parquet',
    bytes: () => createParquetFooter(Buffer.from([0x19, 0xfc, ...VARINT_OF_BILLIONS])),
    refusal: /damaged: too many elements/,
  },
  {
    name: 'deep.parquet',
    bytes: () => createParquetFooter(Buffer.alloc(4000, 0x1c)),
    refusal: /damaged: too deeply nested/,
  },
  {
    name: 'bomb.csv.gz',
    bytes: () => gzipSync(Buffer.alloc(20 * 1024 * 1024, '1,2\n')),
    refusal: /After [\d,]+ bytes the archive has unpacked to more than 100 times its size/,
  },
  { name: 'broken.csv.gz', bytes: () => gzipSync('a,b\n1,2\n').subarray(0, 20), refusal: /damaged|unexpected end/ },
  {
    name: 'page-size.parquet',
    bytes: () => buildParquet({ size: BILLIONS, codec: 'SNAPPY' }),
    refusal: /Reading the Parquet file needs more than 536,870,912 bytes of memory/,
  },
  {
    name: 'page-outside.parquet',
    bytes: () => buildParquet({ packedSize: 1000 }),
    refusal: /damaged: a page exceeds its column/,
  },
  {
    name: 'page-values.parquet',
    bytes: () => buildParquet({ values: BILLIONS }),
    refusal: /damaged: a page has too many values/,
  },
  {
    name: 'page-bomb.parquet',
    bytes: () => buildParquet({ page: gzipSync(Buffer.alloc(20 * 1024 * 1024)), size: 8, codec: 'GZIP' }),
    refusal: /The Parquet file is damaged: /,
  },
  {
    name: 'page-cut.parquet',
    bytes: () => buildParquet({ page: gzipSync(Buffer.alloc(8)).subarray(0, 15), size: 8, codec: 'GZIP' }),
    refusal: /damaged: unexpected end of file/,
  },
  {
    name: 'runs.parquet',
    bytes: () => buildParquet({ page: Buffer.from([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1]), encoding: 3 }),
    refusal: /The Parquet file is damaged: |is not supported/,
  },
  {
    name: 'column-outside.parquet',
    bytes: () => buildParquet({ offset: 2 ** 40 }),
    refusal: /damaged: a column exceeds the file/,
  },
  {
    name: 'column-size.parquet',
    bytes: () => buildParquet({ columnSize: 2 ** 40 }),
    refusal: /damaged: a column exceeds the file/,
  },
  {
    name: 'rows.parquet',
    bytes: () => buildParquet({ rows: 2 ** 50 }),
    refusal: /The table has more than [\d,]+ rows, the maximum of a sheet/,
  },
  { name: 'few-rows.parquet', bytes: () => buildParquet({ rows: 1000 }), refusal: /a column has too few rows/ },
  {
    name: 'missing-children.parquet',
    bytes: () => {
      const bytes = buildParquet({})
      bytes[bytes.indexOf('root') + 5] = 126
      return bytes
    },
    refusal: /damaged: its schema is incomplete/,
  },
  {
    name: 'wide.parquet',
    bytes: () =>
      buildParquet({
        schema: [
          { name: 'root', num_children: 501 },
          ...Array.from({ length: 501 }, (_, i) => ({ ...ONE_COLUMN[1]!, name: `c${i}` })),
        ],
      }),
    refusal: /The table has 501 columns; a sheet has at most 500/,
  },
  {
    name: 'checksum.csv.gz',
    bytes: () => patchGzip('a,b\n1,2\n', -8),
    refusal: /The gzip archive is damaged: incorrect data check/,
  },
  {
    name: 'size.csv.gz',
    bytes: () => patchGzip('a,b\n1,2\n', -1),
    refusal: /The gzip archive is damaged: incorrect length check/,
  },
  { name: 'header.csv.gz', bytes: () => Buffer.from('1f8b', 'hex'), refusal: /damaged: unexpected end of file/ },
  {
    name: 'method.csv.gz',
    bytes: () => Buffer.from('1f8b07000000000000030000', 'hex'),
    refusal: /damaged: unknown compression method/,
  },
  {
    name: 'members.csv.gz',
    bytes: () => Buffer.concat(Array.from({ length: 2000 }, () => gzipSync('1,2\n'.repeat(4000), { level: 9 }))),
    refusal: /After [\d,]+ bytes the archive has unpacked to more than 100 times its size/,
  },
  {
    name: 'gzip-in.csv.gz.gz',
    bytes: () => gzipSync(gzipSync('a,b\n1,2\n')),
    refusal: /It is a gzip archive inside an archive/,
  },
  ...['parquet', 'xls', 'json', 'jsonl', 'xml', 'html'].map(
    (ext): Hostile => ({
      name: `bomb.${ext}.gz`,
      bytes: () => gzipSync(Buffer.concat([Buffer.from(STARTS[ext]!, 'latin1'), Buffer.alloc(20 * 1024 * 1024, ' ')])),
      refusal: /After [\d,]+ bytes the archive has unpacked to more than 100 times its size/,
    }),
  ),
]
