/** Reads values of a column of a record batch as exact text. Pure. */
import type { Batch, DataType } from '@uwdata/flechette'
import { DateUnit, Precision, Type } from '@uwdata/flechette/src/constants.js'
import { DAY_MS } from '../../../../schemas/kit/time.ts'
import { toDate, toDecimal, toShortestFloat, toTime, toTimestamp, toUtf8, toUuid } from '../exact-text.ts'
import { createDamagedError } from './damage.ts'

export interface ValueType {
  toText(batch: Batch<unknown>, row: number): string
  isQuoted: boolean
}

/** By unit: seconds, milliseconds, microseconds, nanoseconds. */
const NANOSECONDS = [1_000_000_000n, 1_000_000n, 1000n, 1n]
const MILLISECOND_NANOSECONDS = 1_000_000n
const MAX_SCALE = 76
const VIEW_BYTES = 16
const UUID_EXTENSION = 'arrow.uuid'

export function getValueType(type: DataType, extension: string | undefined): ValueType | undefined {
  switch (type.typeId) {
    case Type.Bool:
      return asNumber((batch, row) => String(batch.value(row)))
    case Type.Int:
    case Type.Duration:
      return asNumber((batch, row) => String(batch.values[row]))
    case Type.Float:
      return getFloatType(type.precision)
    case Type.Decimal:
      if (Math.abs(type.scale) > MAX_SCALE) return undefined
      return asNumber((batch, row) => toDecimal(BigInt(batch.value(row) as bigint | number), type.scale))
    case Type.Date:
      return asText((batch, row) => toDateText(BigInt(batch.values[row]!), type.unit === DateUnit.DAY))
    case Type.Time:
      return asText((batch, row) => toTime(BigInt(batch.values[row]!) * NANOSECONDS[type.unit]!))
    case Type.Timestamp:
      return asText((batch, row) =>
        toTimestamp(BigInt(batch.values[row]!) * NANOSECONDS[type.unit]!, Boolean(type.timezone)),
      )
    case Type.Binary:
    case Type.LargeBinary:
    case Type.Utf8:
    case Type.LargeUtf8:
      return asText((batch, row) => toUtf8(getBytes(batch, row)))
    case Type.BinaryView:
    case Type.Utf8View:
      return asText((batch, row) => toUtf8(getViewedBytes(batch as ViewBatch, row)))
    case Type.FixedSizeBinary:
      return asText((batch, row) => {
        const bytes = (batch.values as Uint8Array).subarray(row * type.stride, (row + 1) * type.stride)
        return extension === UUID_EXTENSION ? toUuid(bytes) : toUtf8(bytes)
      })
    default:
      return undefined
  }
}

const asNumber = (toText: ValueType['toText']): ValueType => ({ toText, isQuoted: false })
const asText = (toText: ValueType['toText']): ValueType => ({ toText, isQuoted: true })

function getFloatType(precision: number): ValueType {
  if (precision === Precision.SINGLE) return asNumber((batch, row) => toShortestFloat(batch.values[row] as number))
  return asNumber((batch, row) => String(batch.value(row)))
}

function toDateText(value: bigint, isInDays: boolean): string {
  if (isInDays) return toDate(value)
  const day = BigInt(DAY_MS)
  return value % day === 0n ? toDate(value / day) : toTimestamp(value * MILLISECOND_NANOSECONDS, false)
}

const getBytes = ({ offsets, values }: Batch<unknown>, row: number): Uint8Array =>
  (values as Uint8Array).subarray(Number(offsets[row]), Number(offsets[row + 1]))

type ViewBatch = Batch<unknown> & { data: Uint8Array[] }

const MAX_INLINE_BYTES = 12

function getViewedBytes({ values, data }: ViewBatch, row: number): Uint8Array {
  const bytes = values as Uint8Array
  const view = new DataView(bytes.buffer, bytes.byteOffset + row * VIEW_BYTES, VIEW_BYTES)
  const length = view.getInt32(0, true)
  if (length >= 0 && length <= MAX_INLINE_BYTES)
    return bytes.subarray(row * VIEW_BYTES + 4, row * VIEW_BYTES + 4 + length)
  const source = data[view.getInt32(8, true)]
  const start = view.getInt32(12, true)
  if (length < 0 || start < 0 || !source || start + length > source.length)
    throw createDamagedError('a text exceeds its buffer')
  return source.subarray(start, start + length)
}

export const isNull = (batch: Batch<unknown>, row: number): boolean =>
  batch.type.typeId === Type.Null || (batch.nullCount !== 0 && !batch.isValid(row))

/** Rows of the child that belong to a list. */
export function getListRange(batch: Batch<unknown>, row: number): [start: number, end: number] {
  const { type, offsets, sizes } = batch
  if (type.typeId === Type.FixedSizeList) return [row * type.stride, (row + 1) * type.stride]
  const start = Number(offsets[row])
  return [start, sizes ? start + Number(sizes[row]) : Number(offsets[row + 1])]
}
