/**
 * Shows the API's English messages in the reader's language: finds the text of the catalogue that produced a message,
 * reads its values back, and writes its translation. An unknown message, such as a customer's own, stays as it is.
 */
import { formatText, type Text, type Values } from '../../../schemas/message-format.ts'
import { MESSAGES, type MessageKey } from '../../../schemas/messages/index.ts'

export type Translations = Record<MessageKey, Text>

interface Template {
  key: MessageKey
  pattern: RegExp
  names: string[]
  /** Characters outside of placeholders: of two matching templates the one with more is meant. */
  literalLength: number
}

const PLACEHOLDER = /\{(\w+)\}/g
const NUMBER = /^\d{1,3}(,\d{3})*(\.\d+)?$|^\d+(\.\d+)?$/

export function createTranslator(translations: Translations, language: string): (message: string) => string {
  const templates = buildTemplates()
  const translated = new Map<string, string>()
  const translate = (message: string): string => {
    const found = translated.get(message) ?? translateOnce(message)
    translated.set(message, found)
    return found
  }
  const translateOnce = (message: string): string => {
    for (const { key, pattern, names } of templates) {
      const match = pattern.exec(message)
      if (match) return formatText(translations[key], readValues(names, match, translate), language)
    }
    return message
  }
  return translate
}

const buildTemplates = (): Template[] =>
  (Object.entries(MESSAGES) as [MessageKey, Text][])
    .flatMap(([key, text]) =>
      [...new Set(typeof text === 'string' ? [text] : Object.values(text))].map((form) => toTemplate(key, form)),
    )
    .sort((a, b) => b.literalLength - a.literalLength)

function toTemplate(key: MessageKey, text: string): Template {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!)
  const literals = text.split(PLACEHOLDER).filter((_, index) => index % 2 === 0)
  const source = literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([\\s\\S]*?)')
  return { key, pattern: new RegExp(`^${source}$`), names, literalLength: literals.join('').length }
}

/** A value may itself be a message, such as the reason in "{name}: {reason}". */
function readValues(names: string[], match: RegExpExecArray, translate: (message: string) => string): Values {
  const values: Values = { count: 1 }
  for (const [index, name] of names.entries()) {
    const value = match[index + 1]!
    values[name] = NUMBER.test(value) ? Number(value.replaceAll(',', '')) : translate(value)
  }
  return values
}
