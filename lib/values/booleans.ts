import type { BooleanReading } from '../../schemas/programs/readings.ts'
import { type Decision, EXAMPLES } from './decision.ts'
import { cleanText, withoutAccents } from './texts.ts'

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...splitWords('true yes wahr ja vrai oui verdadero si vero waar verdadeiro sim prawda tak', true),
  ...splitWords('false no falsch nein faux non falso niet onwaar nee nao falsz nie', false),
  ...splitWords('yep yeah yup jawohl jep jepp jo jawel ouais', true),
  ...splitWords('nope nah noe ne neen', false),
  ...splitWords('on ein an eingeschaltet encendido acceso aan ligado wlaczone wlaczony wlaczona', true),
  ...splitWords('off aus ausgeschaltet apagado spento uit desligado wylaczone wylaczony wylaczona', false),
  ...splitWords(
    'enabled checked ticked aktiviert activado activada attivato attivata ingeschakeld ativado ativada',
    true,
  ),
  ...splitWords(
    'disabled unchecked unticked deaktiviert desactive desactivado desactivada disattivato disattivata',
    false,
  ),
  ...splitWords('uitgeschakeld desativado desativada', false),
  ...splitWords('active aktiv actif activo activa attivo attiva actief ativo ativa aktywny aktywna', true),
  ...splitWords('inactive inaktiv inactif inactivo inactiva inattivo inattiva inactief inativo inativa', false),
  ...splitWords('nieaktywny nieaktywna', false),
])
const DIGITS: ReadonlyMap<string, boolean> = new Map([...splitWords('1 1.0', true), ...splitWords('0 0.0', false)])
const TICKS: ReadonlyMap<string, boolean> = new Map([
  ...splitWords('x ✓ ✔ ☑ ✅', true),
  ...splitWords('- – ✗ ✘ ☐ ❌', false),
])
const DASHES = new Set(['-', '–'])
const LETTERS: ReadonlyMap<string, boolean> = new Map([
  ...splitWords('y j o s t v w p', true),
  ...splitWords('n f', false),
])
const LETTER_SETS = [new Set('yjostn'), new Set('tvwpf')]
const CLEAR_LETTERS = new Set('yjtnf')

function splitWords(words: string, value: boolean): [string, boolean][] {
  return words.split(' ').map((word) => [word, value])
}

const PHRASE = /^(\p{L}+)\s?[,;:!.–-]+\s/u
const MAX_PHRASES = 2

/** `yes` in `Yes, with pleasure`. */
function getPhraseWord(text: string): boolean | undefined {
  const word = PHRASE.exec(cleanText(text))?.[1]
  return word === undefined ? undefined : WORDS.get(normalize(word))
}

const normalize = (text: string): string =>
  withoutAccents(cleanText(text).toLowerCase())
    .replace(/\ufe0f/g, '')
    .replace(/(?<=\p{L})[.!]+$/u, '')

export interface BooleanEvidence {
  add(text: string): void
  decide(hasEmpty: boolean, allowsIndeterminate: boolean): Decision<BooleanReading>
  /** Next to ticks or only `yes`, a dash can mean false. */
  canDashMeanFalse(): boolean
}

export function gatherBooleans(): BooleanEvidence {
  const found = { letters: new Set<string>(), digits: new Set<string>(), ticks: new Set<string>() }
  const values = new Set<boolean>()
  const phrases = { true: new Set<string>(), false: new Set<string>() }
  let [hasWords, hasOtherNumbers, hasOther] = [false, false, false]
  return {
    canDashMeanFalse: () => values.size < 2 || [...found.ticks].some((tick) => !DASHES.has(tick)),
    add(text) {
      const word = normalize(text)
      const phrase = getPhraseWord(text)
      if (phrase !== undefined) phrases[`${phrase}`].add(word)
      const value = WORDS.get(word) ?? LETTERS.get(word) ?? DIGITS.get(word)
      if (value !== undefined) values.add(value)
      if (WORDS.has(word)) hasWords = true
      else if (DIGITS.has(word)) found.digits.add(word)
      else if (TICKS.has(word)) found.ticks.add(word)
      else if (/^\p{L}$/u.test(word)) found.letters.add(word)
      else if (/^[-+]?\d+(?:[.,]\d+)?$/.test(word)) hasOtherNumbers = true
      else hasOther = true
    },
    decide(hasEmpty, allowsIndeterminate) {
      const onlyTicks = !(hasWords || hasOther || hasOtherNumbers || found.letters.size > 0 || found.digits.size > 0)
      const ticks = onlyTicks && [...found.ticks].some((tick) => !DASHES.has(tick))
      const hasFalse = [...found.ticks].some((tick) => TICKS.get(tick) === false)
      const sizes = [phrases.true.size, phrases.false.size]
      const arePhrasesClear = Math.max(...sizes) > 0 && Math.max(...sizes) <= MAX_PHRASES
      const letters = found.letters.size > 0 && areLettersClear([...found.letters])
      const reading: BooleanReading = {
        type: 'boolean',
        ...(letters ? { letters } : {}),
        ...(found.digits.size > 0 && !hasOtherNumbers ? { digits: true } : {}),
        ...(ticks ? { ticks } : {}),
        ...(arePhrasesClear ? { phrases: true } : {}),
        ...(ticks && hasEmpty && !hasFalse && !allowsIndeterminate ? { emptyValue: false } : {}),
      }
      const isAsked = found.letters.size > 0 && !letters && [...found.letters].every((letter) => LETTERS.has(letter))
      if (!isAsked) return { reading }
      const examples = [...found.letters].slice(0, EXAMPLES)
      const question = { about: 'boolean-letters' as const, examples, alternatives: [{ ...reading, letters: true }] }
      return { reading, question }
    },
  }
}

const areLettersClear = (letters: readonly string[]): boolean =>
  LETTER_SETS.some((set) => letters.every((letter) => set.has(letter))) &&
  (new Set(letters.map((letter) => LETTERS.get(letter))).size === 2 ||
    letters.every((letter) => CLEAR_LETTERS.has(letter)))

export function readBooleanIn(
  { letters, digits, ticks, phrases }: BooleanReading,
  text: string,
): { value: boolean } | { problem: 'unreadable' } {
  const word = normalize(text)
  const value =
    WORDS.get(word) ??
    (letters ? LETTERS.get(word) : undefined) ??
    (digits ? DIGITS.get(word) : undefined) ??
    (ticks ? TICKS.get(word) : undefined) ??
    (phrases ? getPhraseWord(text) : undefined)
  return value === undefined ? { problem: 'unreadable' } : { value }
}
