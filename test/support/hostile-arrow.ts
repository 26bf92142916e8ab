import type { DataType } from '@uwdata/flechette'
import { CompressionType } from '@uwdata/flechette/src/constants.js'
import * as types from '@uwdata/flechette/src/data-types.js'
import { encodeIPC } from '@uwdata/flechette/src/encode/encode-ipc.js'
import { readArrowFile } from './arrow-files.ts'
import type { Hostile } from './hostile-file.ts'

const BILLIONS = 2 ** 31 - 1
const EIGHT_BYTES = new Uint8Array(8)

interface Batch {
  nodes?: { length: number; nullCount: number }[]
  regions?: { offset: number; length: number }[]
  body?: Uint8Array
  variadic?: number[]
}

interface ArrowDefinition extends Batch {
  type?: DataType
  columns?: number
  format?: 'stream' | 'file'
  codec?: number
  dictionaries?: Batch[]
}

const createBatch = ({ nodes, regions, body = EIGHT_BYTES, variadic = [] }: Batch) => ({
  nodes: nodes ?? [{ length: 1, nullCount: 0 }],
  regions: regions ?? [
    { offset: 0, length: 0 },
    { offset: 0, length: body.length },
  ],
  ...{ variadic, buffers: [body], byteLength: body.length },
})

function buildArrow(definition: ArrowDefinition): Buffer {
  const { type = types.int64(), columns = 1, format = 'file', codec } = definition
  const fields = Array.from({ length: columns }, (_, i) => ({ name: `c${i}`, type, nullable: true, metadata: null }))
  const dictionaries = (definition.dictionaries ?? []).map((batch) => ({
    id: 0,
    isDelta: false,
    data: createBatch(batch),
  }))
  const data = { schema: { fields, endianness: 0 }, dictionaries, records: [createBatch(definition)], metadata: null }
  return Buffer.from(encodeIPC(data, { format, ...(codec === undefined ? {} : { codec }) }).finish())
}

function nest(levels: number): DataType {
  return levels === 0 ? types.int8() : types.list(types.field('a', nest(levels - 1)))
}

const toBytes = (array: Int32Array | BigInt64Array): Uint8Array => new Uint8Array(array.buffer)

function endWithFooterOf(length: number): Buffer {
  const file = Buffer.from(`ARROW1\0\0${'x'.repeat(40)}0000ARROW1`)
  file.writeInt32LE(length, file.length - 10)
  return file
}

function startWithMetadataOf(length: number): Buffer {
  const file = Buffer.alloc(64, 0xff)
  file.writeInt32LE(length, 4)
  return file
}

function patchFields(value: number, at: 'count' | 'first'): Buffer {
  const file = buildArrow({ format: 'stream' })
  const name = file.indexOf('c0\0')
  const list = findList(file, name)
  file.writeUInt32LE(value, at === 'count' ? list : list + 4)
  return file
}

function findList(file: Buffer, name: number): number {
  for (let at = 8; at < name; at += 4)
    if (file.readUInt32LE(at) === 1 && at + 4 + file.readUInt32LE(at + 4) < name) return at
  throw new Error('The schema has no list of fields.')
}

const NO_VALIDITY = { offset: 0, length: 0 }

export const HOSTILE_ARROW: Hostile[] = [
  { name: 'cut.arrow', bytes: () => readArrowFile('plain.arrow').subarray(0, 2000), refusal: /damaged: it ends early/ },
  {
    name: 'cut.arrows',
    bytes: () => readArrowFile('stream-zstd.arrows').subarray(0, 3001),
    refusal: /damaged: it ends early/,
  },
  { name: 'text.feather', bytes: () => Buffer.from('a,b\n1,2\n'), refusal: /not a valid Arrow or Feather file/ },
  { name: 'old.feather', bytes: () => Buffer.from('FEA1....FEA1'), refusal: /old version of Arrow or Feather/ },
  { name: 'footer.arrow', bytes: () => endWithFooterOf(1000), refusal: /its footer exceeds the file/ },
  { name: 'negative-footer.arrow', bytes: () => endWithFooterOf(-8), refusal: /its metadata has a negative size/ },
  {
    name: 'large-footer.arrow',
    bytes: () => endWithFooterOf(BILLIONS),
    refusal: /metadata of the Arrow file has 2,147/,
  },
  {
    name: 'metadata.arrows',
    bytes: () => startWithMetadataOf(BILLIONS),
    refusal: /metadata of the Arrow file has 2,147/,
  },
  { name: 'offsets.arrows', bytes: () => startWithMetadataOf(48), refusal: /its metadata has invalid offsets/ },
  {
    name: 'many-fields.arrows',
    bytes: () => patchFields(BILLIONS, 'count'),
    refusal: /its metadata (?:has invalid counts|is too large for its size)/,
  },
  { name: 'cycle.arrows', bytes: () => patchFields(2 ** 32 - 4, 'first'), refusal: /its metadata has invalid offsets/ },
  {
    name: 'after-end.arrows',
    bytes: () => Buffer.concat([buildArrow({ format: 'stream' }), buildArrow({ format: 'stream' })]),
    refusal: /damaged: it has data after its end/,
  },
  {
    name: 'outside.arrow',
    bytes: () => buildArrow({ regions: [NO_VALIDITY, { offset: 2 ** 40, length: 8 }] }),
    refusal: /damaged: a buffer exceeds its batch/,
  },
  {
    name: 'missing-buffer.arrow',
    bytes: () => buildArrow({ regions: [NO_VALIDITY], codec: CompressionType.ZSTD }),
    refusal: /damaged: a batch is incomplete/,
  },
  {
    name: 'few-values.arrow',
    bytes: () => buildArrow({ nodes: [{ length: 1000, nullCount: 0 }] }),
    refusal: /damaged: a column has too few values/,
  },
  {
    name: 'few-bits.arrow',
    bytes: () => buildArrow({ nodes: [{ length: 1, nullCount: 1 }] }),
    refusal: /damaged: a column has too few validity bits/,
  },
  {
    name: 'rows.arrow',
    bytes: () => buildArrow({ type: types.nullType(), nodes: [{ length: 2 ** 50, nullCount: 0 }], regions: [] }),
    refusal: /The table has more than [\d,]+ rows, the maximum of a sheet/,
  },
  {
    name: 'text-offsets.arrow',
    bytes: () =>
      buildArrow({
        type: types.utf8(),
        body: toBytes(Int32Array.of(0, BILLIONS)),
        regions: [NO_VALIDITY, { offset: 0, length: 8 }, NO_VALIDITY],
      }),
    refusal: /damaged: a column has invalid offsets/,
  },
  {
    name: 'view-offsets.arrow',
    bytes: () =>
      buildArrow({
        ...{ type: types.utf8View(), body: toBytes(Int32Array.of(100, 0, 0, BILLIONS)), variadic: [1] },
        regions: [NO_VALIDITY, { offset: 0, length: 16 }, { offset: 0, length: 8 }],
      }),
    refusal: /damaged: a text exceeds its buffer/,
  },
  {
    name: 'views.arrow',
    bytes: () => buildArrow({ type: types.utf8View(), body: new Uint8Array(16), variadic: [2 ** 40] }),
    refusal: /The Arrow file is damaged: /,
  },
  {
    name: 'endless-list.arrow',
    bytes: () =>
      buildArrow({
        type: types.fixedSizeList(types.field('a', types.nullType()), BILLIONS),
        nodes: [1, 2 ** 40].map((length) => ({ length, nullCount: 0 })),
        regions: [NO_VALIDITY],
      }),
    refusal: /Record 1 has a value of more than 4,194,304 characters/,
  },
  ...[CompressionType.LZ4_FRAME, CompressionType.ZSTD].map(
    (codec): Hostile => ({
      name: `bomb-${codec}.arrow`,
      bytes: () => buildArrow({ codec, body: toBytes(BigInt64Array.of(2n ** 40n, 0n)) }),
      refusal: /Reading the Arrow file needs more than 536,870,912 bytes of memory/,
    }),
  ),
  {
    name: 'lz4.arrow',
    bytes: () => buildArrow({ codec: CompressionType.LZ4_FRAME, body: toBytes(BigInt64Array.of(8n, 0n)) }),
    refusal: /damaged: a buffer is not valid LZ4 data/,
  },
  {
    name: 'zstd.arrow',
    bytes: () => buildArrow({ codec: CompressionType.ZSTD, body: toBytes(BigInt64Array.of(8n, 0n)) }),
    refusal: /damaged: a buffer is not valid zstd data/,
  },
  {
    name: 'dictionary-key.arrow',
    bytes: () =>
      buildArrow({
        type: types.dictionary(types.int64(), types.int32(), false, 0),
        body: toBytes(Int32Array.of(7, 0)),
        dictionaries: [{}],
      }),
    refusal: /damaged: a value is missing from its dictionary/,
  },
  {
    name: 'replaced-dictionary.arrow',
    bytes: () =>
      buildArrow({
        type: types.dictionary(types.int64(), types.int32(), false, 0),
        dictionaries: [{}, {}],
      }),
    refusal: /damaged: a dictionary is replaced/,
  },
  {
    name: 'deep.arrow',
    bytes: () => buildArrow({ type: nest(30), regions: [] }),
    refusal: /Column c0 exceeds the nesting limit of 20 levels/,
  },
  {
    name: 'wide.arrow',
    bytes: () => buildArrow({ columns: 501 }),
    refusal: /The table has 501 columns; a sheet has at most 500/,
  },
]
