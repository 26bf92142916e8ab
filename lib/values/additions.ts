/** Removes additions of people around a value, for texts that are not read as they are. Pure. */
import { cleanText } from './texts.ts'

const MAX_LENGTH = 500
const AROUND = /^[\s;,'"*([<]+|[\s;,.'")\]>]+$/g
const LABELLED = /^(?!https?:)[\p{L}][\p{L}-]{0,11}\s?:\s?(?=\S)/iu
const LINK = /^\[[^[\]]{1,200}\]\(([^()]+)\)$/

const withoutMarks = (text: string): string => text.replace(AROUND, '')
const isLong = (text: string): boolean => text.length > MAX_LENGTH

const REPEATED = /^(\S+@\S+)\s?[<([](?:mailto:)?\1[>)\]]$/i
const BEFORE_ADDRESS = /^[^<>@]{0,200}<([^<>]+)>$/
const BEHIND_ADDRESS = /^(\S+@\S+)\s?\([^()@]{1,200}\)$/
const SPELLED_AT = /\s?[([](?:at|@|arroba|chiocciola)[)\]]\s?/i
const SPACED_AT = /^(\S+)(?: @ ?|@ )(\S+)$/

export function unwrapEmail(text: string): string {
  if (isLong(text)) return text
  const listed = text.replace(/^[\s;,]+|[\s;,.]+$/g, '')
  const found = [LINK, REPEATED, BEFORE_ADDRESS, BEHIND_ADDRESS].map((form) => form.exec(listed)?.[1])
  return withoutMarks(found.find((address) => address !== undefined) ?? listed)
    .replace(LABELLED, '')
    .replace(SPELLED_AT, '@')
    .replace(SPACED_AT, '$1@$2')
}

export const unwrapUrl = (text: string): string => {
  if (isLong(text)) return text
  const address = LINK.exec(text)?.[1] ?? text
  return /:\/\//.test(address) ? withoutMarks(address) : withoutMarks(address).replace(LABELLED, '')
}

const PHONE_WORD =
  /^(?:tel(?:efono|efoon|efon|ephone|efone|eph)?|phone|ph|t|m|mob(?:ile|il|iel)?|cel(?:l|ular|lulare)?|handy|mov(?:il)?|telem|portable|kom|gsm|tl|tf)[.:]{0,2}\s?(?=[+(\d])/i
const PHONE_NOTE = /\s?\([\p{L}\s.]{1,30}\)$/u

export const unwrapPhone = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(PHONE_WORD, '').replace(PHONE_NOTE, '')

const BEFORE_DATE = /^(?:[*†✝]|(?:den|am|le|el|il|on|op|the|dnia|dia|em|w dniu)\s)\s?(?=\d|\p{L}{2,4}\.?[\s,])/u
const BEHIND_DATE = /(?<=\d)\s?(?:[.;,*]|\(\d{1,3}(?:\s?\p{L}{1,6}\.?)?\))$/u
const ROMAN_MONTH = /^(\d{1,2})[\s./-]{1,2}([ivx]{1,4})[\s./-]{1,2}(\d{4})$/
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']

export function unwrapDate(text: string): string {
  const date = text
    .replace(BEFORE_DATE, '')
    .replace(BEHIND_DATE, '')
    .replace(/\s?([./])\s?(?=\d)/g, '$1')
    .replace(/(?<=[./-])['’](?=\d{2}$)/, '')
  const [, day, month = '', year] = ROMAN_MONTH.exec(date) ?? []
  const at = ROMAN.indexOf(month)
  return at < 0 ? cleanText(date) : `${year}-${at + 1}-${day}`
}
