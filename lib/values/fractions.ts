/** Finds fields whose numbers are fractions, so that 80 % is 0.8 in them. Pure. */
import { withoutAccents } from './texts.ts'

/** The unit of numbers in which 1 is 100 %. No text has it as its unit. */
export const FRACTION = '0-1'

const WORD = /\b(?:fractions?|bruchteil|dezimalbruch|fraccion|fracao|frazione|fractie|ulamek|ulamka)\b/
const RANGE = /(?<![\d.,/-])0 ?(?:-|–|\.{2,3}|…|to|and|bis|und|a|et|y|e|tot|en|do|i) ?1(?:[.,]0{1,2})?(?![.,:/–-]?\d)/
const WHOLE = 'full|whole|voll|ganz|plein|(?:jornada )?complet|(?:tempo )?pieno|(?:tempo )?integral|voltijd|caly|pelny'
const ONE = new RegExp(`(?<![\\d.,])1(?:[.,]0+)? ?= ?(?:an? )?(?:${WHOLE})`)
const EQUAL = /(?<![\d.,])([01](?:[.,]\d{1,4})?) ?(?:=|is|for|means|ist|fur|pour|para|per|voor|oznacza) ?(\d{1,3}) ?%/
const PERCENT = /%|\bper ?cent|prozent|pourcent|porcent|percentu|procent/

/** `As a fraction`, `0 to 1`, `1 = full time` and `0.8 = 80 %`, but not `percentage from 0 to 1`. */
export function isFractionField(texts: readonly (string | null | undefined)[]): boolean {
  const said = texts.map((text) => withoutAccents((text ?? '').toLowerCase()).replace(/\s+/g, ' '))
  if (said.some((text) => ONE.test(text) || hasEqualPercentage(text))) return true
  return said.every((text) => !PERCENT.test(text)) && said.some((text) => WORD.test(text) || RANGE.test(text))
}

function hasEqualPercentage(text: string): boolean {
  const [, fraction, percentage] = EQUAL.exec(text) ?? []
  return fraction !== undefined && Math.round(Number(fraction.replace(',', '.')) * 100) === Number(percentage)
}
