const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
const LABEL = '[A-Za-z\\d](?:[A-Za-z\\d-]{0,61}[A-Za-z\\d])?'
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`)
const WIDE_ATOM = "[\\p{L}\\p{M}\\p{N}_!#$%&'*+/=?^`{|}~-]+"
const WIDE_LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
/** The same with letters of every script, several times slower. */
const WIDE_EMAIL = new RegExp(`^${WIDE_ATOM}(?:\\.${WIDE_ATOM})*@(?:${WIDE_LABEL}\\.)+${WIDE_LABEL}$`, 'u')
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const WEB_ADDRESS = /^https?:\/\/[^\s/?#]+[^\s]*$/i

const MAX_LOCAL_CHARACTERS = 64
const MAX_EMAIL_CHARACTERS = 320

export function isEmail(text: string): boolean {
  if (text.length > MAX_EMAIL_CHARACTERS || text.indexOf('@') > MAX_LOCAL_CHARACTERS) return false
  return EMAIL.test(text) || WIDE_EMAIL.test(text)
}
export const isUuid = (text: string): boolean => UUID.test(text)
export const isUrl = (text: string): boolean => WEB_ADDRESS.test(text) && URL.canParse(text)

export function countCharacters(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(i + 1)
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--
      i++
    }
  }
  return count
}
