/** Reads names of prices that are written as signs or with a note on taxes, such as `€/kg` and `Price excl. VAT`. Pure. */
import { findRate, getPer } from '../values/units.ts'

const TAX_END =
  /(?<!\p{L})(?:(excl|ex|without|before|ohne|zonder|sem|sin|senza|hors|sans|bez|s\/)|incl|inc|with|con|com|avec|mit|met|z|c\/)(?:uding)?\.?\s*(?:tax(?:es)?|vat|gst|mwst|tva|iva|btw)\.?(?=\s*(?:\(|$))/iu

const readTaxEnd = (raw: string): string => raw.replace(TAX_END, (_, without?: string) => (without ? 'net' : 'gross'))

function readRate(raw: string): string {
  const rate = raw.length > MAX_RATE_CHARACTERS ? undefined : findRate(raw.trim(), '')
  return rate === undefined ? raw : `price per ${getPer(rate)}`
}

const MAX_RATE_CHARACTERS = 20

export const readPrice = (name: string): string => readRate(readTaxEnd(name))
