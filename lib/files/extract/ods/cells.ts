import { formatNumber, toPlainNumber } from '../xlsx/dates.ts'
import type { Attributes } from '../xml.ts'

export function formatCell(attributes: Attributes, shown: string): string {
  const value = attributes['office:value'] ?? ''
  if (attributes['calcext:value-type'] === 'error') return shown
  switch (attributes['office:value-type']) {
    case 'float':
      if (isTruth(attributes['table:formula'], shown)) return value === '0' ? 'false' : 'true'
      return isDigitsPattern(value, shown) ? shown : toPlainNumber(value)
    case 'currency':
      return toPlainNumber(value)
    case 'percentage':
      return formatNumber(value, { kind: 'percent' }, false)
    case 'boolean':
      return attributes['office:boolean-value'] === 'true' ? 'true' : 'false'
    case 'date':
      return formatDate(attributes['office:date-value'] ?? '', shown)
    case 'time':
      return formatTime(attributes['office:time-value'] ?? '')
    default:
      return attributes['office:string-value'] ?? shown
  }
}

/** LibreOffice turns booleans of other formats into formulas of numbers. */
const isTruth = (formula: string | undefined, shown: string): boolean =>
  /^(?:TRUE|FALSE)$/.test(shown) || /^of:=(?:TRUE|FALSE)\(\)$/.test(formula ?? '')

/** Codes in formats such as 00000 or 000-00-0000 mean what they show; grouped numbers do not. */
const isDigitsPattern = (value: string, shown: string): boolean =>
  (/^0\d[\d -]*$/.test(shown) || /^\d+(?:-\d+)+$/.test(shown)) && Number(shown.replace(/[ -]/g, '')) === Number(value)

function formatDate(value: string, shown: string): string {
  const [, day, time, fraction = ''] = /^([-\d]+)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?$/.exec(value) ?? []
  if (day === undefined) return value
  if (time === undefined) return /\d:\d\d/.test(shown) ? `${day}T00:00:00` : day
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  return `${day}T${time}${milliseconds === '000' ? '' : `.${milliseconds}`}`
}

const DURATION = /^(-?)P(?:(\d{1,7})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?)?$/

function formatTime(value: string): string {
  const [text, sign, days = 0, hours = 0, minutes = 0, seconds = '0'] = DURATION.exec(value) ?? []
  if (text === undefined) return value
  const total = Number(days) + Number(hours) / 24 + Number(minutes) / 1440 + Number(seconds.replace(',', '.')) / 86_400
  return formatNumber(`${sign}${total}`, { kind: 'duration' }, false)
}
