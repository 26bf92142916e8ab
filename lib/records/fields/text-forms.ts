/** Forms of texts that rules can require. */

/** A local part of at most 64 characters and a domain with a dot; letters of every script. */
const EMAIL =
  /^(?=.{1,64}@.{1,255}$)[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const WEB_ADDRESS = /^https?:\/\/[^\s/?#]+[^\s]*$/i

const MAX_EMAIL_CHARACTERS = 320

export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_CHARACTERS && EMAIL.test(text)
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
