/** Finds what a name such as `Consent signed` says was done, in eight languages. Pure. */
import { cleanText, withoutAccents } from './texts.ts'

const ENGLISH = /^(?:\p{L}{2,}ed|paid|sent|taken|given|held|made|met|shown|seen|written|known|drawn|bought|sold|kept)$/u
const GERMANIC = /^(?:\p{L}{0,8}ge\p{L}{3,}|(?:be|er|ver|ent|zer|uber|unter|over|onder|ont)\p{L}{3,})(?:t|d|en)$/u
const FRENCH = /^\p{L}{3,}(?:ée?s?|çue?s?)$/u
const ROMANCE = /^\p{L}{2,}(?:[ai]d[oa]s?|[aiu]t[oaie])$/u
const POLISH = /^\p{L}{4,}(?:an|on|en)[yaeo]$/u

/** `Fees to be paid`, `Not signed` and `Approved or rejected` say something else than their last word. */
const TURNING = new Set([
  ...'a al and as awaiting be before being czy da das do e en et false fast for from geen if in last kein keine'.split(
    ' ',
  ),
  ...'lub mai nao ne never next nicht nie niet no noch nog non nor not nunca o oder of ohne or ou over para partly'.split(
    ' ',
  ),
  ...'pas pending per por pour reason sans sem senza sin since te to u un unless until und voor was wer when who'.split(
    ' ',
  ),
  ...'will with without wo y yet z za zonder zu zum'.split(' '),
])

const MAX_WORDS = 5

export function findParticiple(name: string): string | undefined {
  const written = cleanText(name)
    .toLowerCase()
    .replace(/[?!:.\s]+$/u, '')
  if (/[/&+|,;()]/.test(written)) return undefined
  const words = written.split(/[\s_-]+/u)
  const last = words.at(-1)!
  const others = words.slice(0, -1).map(withoutAccents)
  if (others.length === 0 || others.length >= MAX_WORDS || others.some((word) => TURNING.has(word))) return undefined
  const plain = withoutAccents(last)
  const isDone = FRENCH.test(last) || [ENGLISH, GERMANIC, ROMANCE, POLISH].some((form) => form.test(plain))
  return isDone ? plain : undefined
}
