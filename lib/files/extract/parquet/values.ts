/** Turns the values of a Parquet column into exact text. Pure. */
import type { SchemaElement } from 'hyparquet'
import { parseFloat16 } from 'hyparquet/src/convert.js'
import { DAY_MS } from '../../../../schemas/kit/time.ts'

export interface ValueType {
  toText(value: unknown): string
  isQuoted: boolean
}

export class TextlessValueError extends Error {}

/** The value of an index that the dictionary lacks. */
export const MISSING_VALUE = Symbol('missing value')

const NANOSECONDS_PER_UNIT = { MILLIS: 1_000_000n, MICROS: 1000n, NANOS: 1n }
const DAY_NANOSECONDS = 86_400_000_000_000n
const SECOND_NANOSECONDS = 1_000_000_000n

export function getValueType(element: SchemaElement): ValueType | undefined {
  const { converted_type: converted, logical_type: logical } = element
  if (converted === 'INTERVAL' || converted === 'BSON') return undefined
  if (logical && !('type' in logical)) return Object.keys(logical).length === 0 ? getPlainType(element) : undefined
  const scale = logical?.type === 'DECIMAL' ? logical.scale : (element.scale ?? 0)
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') return asNumber((value) => toDecimal(value, scale))
  if (logical?.type === 'DATE' || converted === 'DATE') return asText((value) => toDate(BigInt(value as number)))
  if (logical?.type === 'TIMESTAMP') return createTimestampType(NANOSECONDS_PER_UNIT[logical.unit], logical)
  if (converted === 'TIMESTAMP_MILLIS') return createTimestampType(NANOSECONDS_PER_UNIT.MILLIS)
  if (converted === 'TIMESTAMP_MICROS') return createTimestampType(NANOSECONDS_PER_UNIT.MICROS)
  if (logical?.type === 'TIME') return createTimeType(NANOSECONDS_PER_UNIT[logical.unit])
  if (converted === 'TIME_MILLIS') return createTimeType(NANOSECONDS_PER_UNIT.MILLIS)
  if (converted === 'TIME_MICROS') return createTimeType(NANOSECONDS_PER_UNIT.MICROS)
  if (logical?.type === 'INTEGER' && !logical.isSigned) return asNumber(toUnsigned)
  if (converted?.startsWith('UINT_')) return asNumber(toUnsigned)
  if (logical?.type === 'UUID') return asText(toUuid)
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

const createTimeType = (unit: bigint): ValueType =>
  asText((value) => {
    const nanoseconds = BigInt(value as bigint) * unit
    if (nanoseconds < 0n || nanoseconds >= DAY_NANOSECONDS) throw new TextlessValueError()
    return toTime(nanoseconds)
  })

function toUnsigned(value: unknown): string {
  return typeof value === 'bigint' ? String(BigInt.asUintN(64, value)) : String((value as number) >>> 0)
}

function toDecimal(value: unknown, scale: number): string {
  const unscaled = value instanceof Uint8Array ? readBigInteger(value) : BigInt(value as bigint)
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const readBigInteger = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))

const FLOAT_DIGITS = [6, 7, 8, 9]

function toShortestFloat(value: number): string {
  const digits = FLOAT_DIGITS.find((count) => Math.fround(Number(value.toPrecision(count))) === value)
  return String(digits === undefined ? value : Number(value.toPrecision(digits)))
}

function toDate(days: bigint): string {
  const date = new Date(Number(days) * DAY_MS)
  if (Number.isNaN(date.getTime())) throw new TextlessValueError()
  return date.toISOString().slice(0, -'T00:00:00.000Z'.length)
}

function toTimestamp(nanoseconds: bigint, isUtc: boolean): string {
  const time = ((nanoseconds % DAY_NANOSECONDS) + DAY_NANOSECONDS) % DAY_NANOSECONDS
  return `${toDate((nanoseconds - time) / DAY_NANOSECONDS)}T${toTime(time)}${isUtc ? 'Z' : ''}`
}

function toTime(nanoseconds: bigint): string {
  const seconds = Number(nanoseconds / SECOND_NANOSECONDS)
  const fraction = String(nanoseconds % SECOND_NANOSECONDS)
    .padStart(9, '0')
    .replace(/(?:000)+$/, '')
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
  const time = parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
  return fraction === '' ? time : `${time}.${fraction}`
}

function toUuid(value: unknown): string {
  const hex = Buffer.from(value as Uint8Array).toString('hex')
  if (hex.length !== 32) throw new TextlessValueError()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function toUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new TextlessValueError()
  }
}
