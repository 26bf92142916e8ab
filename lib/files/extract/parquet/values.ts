/** Turns the values of a Parquet column into exact text. Pure. */
import type { SchemaElement } from 'hyparquet'
import { parseFloat16 } from 'hyparquet/src/convert.js'
import { toDate, toDecimal, toShortestFloat, toTime, toTimestamp, toUtf8, toUuid } from '../exact-text.ts'

export interface ValueType {
  toText(value: unknown): string
  isQuoted: boolean
}

/** The value of an index that the dictionary lacks. */
export const MISSING_VALUE = Symbol('missing value')

const NANOSECONDS_PER_UNIT = { MILLIS: 1_000_000n, MICROS: 1000n, NANOS: 1n }

export function getValueType(element: SchemaElement): ValueType | undefined {
  const { converted_type: converted, logical_type: logical } = element
  if (converted === 'INTERVAL' || converted === 'BSON') return undefined
  if (logical && !('type' in logical)) return Object.keys(logical).length === 0 ? getPlainType(element) : undefined
  const scale = logical?.type === 'DECIMAL' ? logical.scale : (element.scale ?? 0)
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL')
    return asNumber((value) => toDecimal(toUnscaled(value), scale))
  if (logical?.type === 'DATE' || converted === 'DATE') return asText((value) => toDate(BigInt(value as number)))
  if (logical?.type === 'TIMESTAMP') return createTimestampType(NANOSECONDS_PER_UNIT[logical.unit], logical)
  if (converted === 'TIMESTAMP_MILLIS') return createTimestampType(NANOSECONDS_PER_UNIT.MILLIS)
  if (converted === 'TIMESTAMP_MICROS') return createTimestampType(NANOSECONDS_PER_UNIT.MICROS)
  if (logical?.type === 'TIME') return createTimeType(NANOSECONDS_PER_UNIT[logical.unit])
  if (converted === 'TIME_MILLIS') return createTimeType(NANOSECONDS_PER_UNIT.MILLIS)
  if (converted === 'TIME_MICROS') return createTimeType(NANOSECONDS_PER_UNIT.MICROS)
  if (logical?.type === 'INTEGER' && !logical.isSigned) return asNumber(toUnsigned)
  if (converted?.startsWith('UINT_')) return asNumber(toUnsigned)
  if (logical?.type === 'UUID') return asText((value) => toUuid(value as Uint8Array))
  if (logical?.type === 'FLOAT16') return asNumber((value) => String(parseFloat16(value as Uint8Array)))
  if (['BSON', 'VARIANT', 'GEOMETRY', 'GEOGRAPHY'].includes(logical?.type ?? '')) return undefined
  return getPlainType(element)
}

function getPlainType({ type }: SchemaElement): ValueType | undefined {
  switch (type) {
    case 'BOOLEAN':
    case 'INT32':
    case 'INT64':
    case 'DOUBLE':
      return asNumber(String)
    case 'FLOAT':
      return asNumber((value) => toShortestFloat(value as number))
    case 'INT96':
      // hyparquet has converted it to nanoseconds. It has no zone: its writers disagree on whether it is UTC.
      return asText((value) => toTimestamp(value as bigint, false))
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY':
      return asText((value) => toUtf8(value as Uint8Array))
    default:
      return undefined
  }
}

const asNumber = (toText: ValueType['toText']): ValueType => ({ toText, isQuoted: false })
const asText = (toText: ValueType['toText']): ValueType => ({ toText, isQuoted: true })

const createTimestampType = (unit: bigint, { isAdjustedToUTC = true } = {}): ValueType =>
  asText((value) => toTimestamp(BigInt(value as bigint) * unit, isAdjustedToUTC))

const createTimeType = (unit: bigint): ValueType => asText((value) => toTime(BigInt(value as bigint) * unit))

function toUnsigned(value: unknown): string {
  return typeof value === 'bigint' ? String(BigInt.asUintN(64, value)) : String((value as number) >>> 0)
}

const toUnscaled = (value: unknown): bigint =>
  value instanceof Uint8Array ? readBigInteger(value) : BigInt(value as bigint)

const readBigInteger = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
