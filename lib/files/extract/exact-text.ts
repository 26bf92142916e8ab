/** Turns the values of typed columns into exact text. Pure. */
import { DAY_MS } from '../../../schemas/kit/time.ts'

export class TextlessValueError extends Error {}

const DAY_NANOSECONDS = 86_400_000_000_000n
const SECOND_NANOSECONDS = 1_000_000_000n

export function toDecimal(unscaled: bigint, scale: number): string {
  if (scale < 0) return String(unscaled * 10n ** BigInt(-scale))
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const FLOAT_DIGITS = [6, 7, 8, 9]

export function toShortestFloat(value: number): string {
  const digits = FLOAT_DIGITS.find((count) => Math.fround(Number(value.toPrecision(count))) === value)
  return String(digits === undefined ? value : Number(value.toPrecision(digits)))
}

export function toDate(days: bigint): string {
  const date = new Date(Number(days) * DAY_MS)
  if (Number.isNaN(date.getTime())) throw new TextlessValueError()
  return date.toISOString().slice(0, -'T00:00:00.000Z'.length)
}

export function toTimestamp(nanoseconds: bigint, isUtc: boolean): string {
  const time = ((nanoseconds % DAY_NANOSECONDS) + DAY_NANOSECONDS) % DAY_NANOSECONDS
  return `${toDate((nanoseconds - time) / DAY_NANOSECONDS)}T${toTime(time)}${isUtc ? 'Z' : ''}`
}

/** @throws TextlessValueError unless it is a time of a day */
export function toTime(nanoseconds: bigint): string {
  if (nanoseconds < 0n || nanoseconds >= DAY_NANOSECONDS) throw new TextlessValueError()
  const seconds = Number(nanoseconds / SECOND_NANOSECONDS)
  const fraction = String(nanoseconds % SECOND_NANOSECONDS)
    .padStart(9, '0')
    .replace(/(?:000)+$/, '')
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
  const time = parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
  return fraction === '' ? time : `${time}.${fraction}`
}

export function toUuid(value: Uint8Array): string {
  const hex = Buffer.from(value).toString('hex')
  if (hex.length !== 32) throw new TextlessValueError()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function toUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new TextlessValueError()
  }
}
