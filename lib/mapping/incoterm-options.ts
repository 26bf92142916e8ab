/** Finds options of delivery terms by an Incoterm with its place: `FCA Köln` is FCA, or free carrier. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { BY_NAME, type Match } from './option-rules.ts'

const INCOTERM = '(?:CFR|CIF|CIP|CPT|DAP|DAT|DDP|DDU|DPU|EXW|FAS|FCA|FOB)'
const WITH_PLACE = new RegExp(
  `^\\s*(?:Incoterms?\\s*(?:20\\d\\d)?\\s*:?\\s*)?(${INCOTERM})\\s+(?!.*\\b${INCOTERM}\\b)[\\p{L}\\d\\s,.()'’-]+$`,
  'u',
)
const LONE = new RegExp(`^\\s*Incoterms?\\s*(?:20\\d\\d)?\\s*:?\\s*(${INCOTERM})\\s*$`)

export function readIncoterms(
  texts: readonly string[],
  find: (text: string) => Match | undefined,
): Map<string, EnumValue> {
  return new Map(
    texts.flatMap((text) => {
      const code = (WITH_PLACE.exec(text) ?? LONE.exec(text))?.[1]
      const found = code === undefined ? undefined : find(code)
      // The option `EXW Hamburg` is not meant by `EXW Bremen`.
      const isNamed = found && (BY_NAME.has(found.rule) || found.rule === 'everyday')
      return isNamed ? [[text, found.option.value] as const] : []
    }),
  )
}
