const INVISIBLE = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
const OUTER = /[\s\u200c\u200d]/
const COMBINING = /[\u0300-\u036f]/
const SUSPECT = /^\s|\s$|[\u0300-\u036f]|[\u00a0\u00ad\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u2069\u3000\ufeff]/

/** Without surrounding and invisible characters; accents are composed (NFC). */
export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text
  const visible = trimOuter(text.replace(INVISIBLE, '').replace(SPACES, ' '))
  return COMBINING.test(visible) ? visible.normalize('NFC') : visible
}

function trimOuter(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && OUTER.test(text[start]!)) start++
  while (end > start && OUTER.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

const NON_ASCII = /[^\0-\x7f]/

export const isAscii = (text: string): boolean => !NON_ASCII.test(text)

export const withoutAccents = (text: string): string => (isAscii(text) ? text : foldAccents(text))

const foldAccents = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/ł/g, 'l').replace(/ß/g, 'ss')
