import type { BooleanReading } from '../../schemas/programs/readings.ts'
import { type Decision, EXAMPLES } from './decision.ts'
import { findParticiple } from './participles.ts'
import { cleanText, withoutAccents } from './texts.ts'

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...splitWords('true yes wahr ja vrai oui verdadero si vero waar verdadeiro sim prawda tak kylla evet ano', true),
  ...splitWords('false no falsch nein faux non falso niet onwaar nee nao falsz nie nej nei ei hayır hayir ne', false),
  ...splitWords('yep yeah yup jawohl jep jepp jo jawel ouais', true),
  ...splitWords('nope nah noe neen', false),
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
  ...splitWords(
    'ok okay agreed einverstanden akkoord vorhanden vorh jest done erledigt voldaan hecho fatto feito',
    true,
  ),
  ...splitPhrases('not yet|noch nicht|leider nicht|leider nein|pas encore|aun no|todavia no|non ancora', false),
  ...splitPhrases('no thanks|no thank you|nein danke|non merci|no gracias|no grazie|nee bedankt|nee dank je', false),
  ...splitPhrases('nao obrigado|nao obrigada|nie dziekuje', false),
  ...splitPhrases('yes please|ja bitte|oui merci|si por favor|si grazie|ja graag|sim por favor|tak prosze', true),
  ...splitPhrases('i agree|i consent|ich stimme zu|acepto|autorizo|acconsento|autorizzo|aceito', true),
  ...splitPhrases("j'accepte|j'autorise|j’accepte|j’autorise", true),
  ...splitPhrases('ik ga akkoord|concordo|zgadzam sie|wyrazam zgode|sure|of course|certainly|naturlich', true),
  ...splitPhrases('on file|liegt vor|consta|agli atti', true),
  ...splitPhrases('not on file|no consta|nao consta|non agli atti', false),
  ...splitPhrases('ainda nao|nog niet|jeszcze nie|not agreed|nicht einverstanden|niet akkoord', false),
])
const DIGITS: ReadonlyMap<string, boolean> = new Map([...splitWords('1 1.0', true), ...splitWords('0 0.0', false)])
const TICKS: ReadonlyMap<string, boolean> = new Map([
  ...splitWords('x + ✓ ✔ ☑ ✅', true),
  ...splitWords('- – ✗ ✘ ☐ ❌', false),
])
const DASHES = new Set(['-', '–'])
const CROSS = 'x'
const CHECKS = new Set(['✓', '✔', '☑', '✅'])
const CLEAR_MARKS = new Set([...CHECKS, '✗', '✘', '❌'])
const LETTERS: ReadonlyMap<string, boolean> = new Map([
  ...splitWords('y j o s t v w p', true),
  ...splitWords('n f', false),
])
const LETTER_SETS = [new Set('yjostn'), new Set('tvwpf')]
const CLEAR_LETTERS = new Set('yjtnf')

function splitWords(words: string, value: boolean): [string, boolean][] {
  return words.split(' ').map((word) => [word, value])
}

function splitPhrases(phrases: string, value: boolean): [string, boolean][] {
  return phrases.split('|').map((phrase) => [phrase, value])
}

const PHRASE = /^(\p{L}+)(?:\s?[,;:!.–-]+\s|\s\()/u
const MAX_PHRASES = 2

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
  decide(hasEmpty: boolean, allowsIndeterminate: boolean, isMostlyEmpty?: boolean): Decision<BooleanReading>
  /** Without a written yes and no, a dash can mean false. */
  canDashMeanFalse(): boolean
}

const NEGATION = /^(?:no|not|non|nicht|niet|nao|nie|pas)\s+/
const NEGATING_START = /^(?:un|in|im|non|on|nie)(?=\p{L}{5})/u
const MIN_NAME_LETTERS = 3
const MAX_NAME_LENGTH = 40
const MAX_NAME_TEXTS = 20

const toName = (text: string): string =>
  normalize(text)
    .replace(/['’]/g, '')
    .replace(/^[¿?\s]+|[?!:\s]+$/g, '')

const PAID =
  /(?:^|\s)(?:paid|bezahlt|betaald|payee?|paga[td][oa]|saldat[oa]|zaplacon[aoey]|oplacon[aoey]|reglee?)(?:\s|$)/
const UNPAID = new Set([
  ...'open offen openstaand outstanding unpaid due ausstehend impaye impayee pendiente pendente unbezahlt'.split(' '),
  ...'onbetaald impagado impagada scoperto nieoplacone niezaplacone'.split(' '),
  ...['to pay', 'to be paid', 'zu zahlen', 'a payer', 'a pagar', 'por pagar', 'da pagare', 'da saldare', 'te betalen'],
  ...['do zaplaty', 'non saldato', 'pending', 'awaiting payment', 'en attente', 'in attesa', 'en espera', 'em aberto'],
])

const ABSENT = new Set('missing fehlt manque manquant falta manca mancante ontbreekt'.split(' '))

const PASSED =
  /(?:^|\s)(?:pass(?:ed)?|bestanden|reussie?|aprobad[oa]|superat[oa]|geslaagd|aprovad[oa]|zaliczon[aoey])(?:\s|$)/
const PASS = new Set([
  ...'pass passed bestanden reussi reussie aprobado aprobada apto apta superato superata promosso promossa'.split(' '),
  ...'geslaagd aprovado aprovada zaliczony zaliczona zaliczone'.split(' '),
])
const FAIL = new Set([
  ...'fail failed durchgefallen echoue echouee echec suspenso suspensa reprobado reprobada bocciato bocciata'.split(
    ' ',
  ),
  ...'respinto respinta gezakt reprovado reprovada niezaliczony niezaliczona niezaliczone inapto inapta'.split(' '),
  ...['nicht bestanden', 'no apto', 'no apta', 'non superato', 'non superata', 'niet geslaagd', 'nao aprovado'],
])

const ACTIVE = /(?:^|\s)(?:active|activ[oa]|en activo)(?:\s|$)/
/** In Spain; elsewhere `alta` is high. */
const REGISTERED: ReadonlyMap<string, boolean> = new Map([
  ...splitPhrases('alta|de alta|dado de alta|dada de alta', true),
  ...splitPhrases('baja|de baja|dado de baja|dada de baja', false),
])

interface ColumnName {
  text: string
  isCut: boolean
  /** The `signed` of `Consent signed`. */
  done: string | undefined
}

const isWhole = (word: string, cut: string): boolean => /^\p{L}+$/u.test(word) && word.startsWith(cut)

/** `paid` in a column `Paid?` is true, `not paid` and `unpaid` false; `bez.` repeats `bezahlt`, and `geschätzt` is `gesch.`; `open` is not paid. */
function readName(text: string, names: readonly ColumnName[]): boolean | undefined {
  const word = toName(text)
  if (word.length > MAX_NAME_LENGTH) return undefined
  const isNegated = names.some(({ text }) => text === word.replace(NEGATING_START, ''))
  const plain = isNegated ? word.replace(NEGATING_START, '') : word.replace(NEGATION, '')
  const isCut = /\p{L}\.$/u.test(cleanText(text)) && plain.length >= MIN_NAME_LETTERS
  const isName = names.some(
    (name) =>
      name.text === plain || (isCut && name.text.startsWith(plain)) || (name.isCut && isWhole(plain, name.text)),
  )
  if (isName) return plain === word
  if (names.some(({ done }) => done === plain)) return plain === word
  if (names.some(({ done }) => done !== undefined && plain === `un${done}`)) return false
  if (names.some((name) => PASSED.test(name.text))) return PASS.has(word) || (FAIL.has(word) ? false : undefined)
  if (names.some((name) => ACTIVE.test(name.text)) && REGISTERED.has(word)) return REGISTERED.get(word)
  if (ABSENT.has(word)) return names.some((name) => name.text.includes(word)) ? undefined : false
  if (!names.some((name) => PAID.test(name.text))) return undefined
  const isPaid = [word, ...names.map((name) => name.text)].every((one) => PAID.test(one) && !one.includes(' '))
  return UNPAID.has(word) ? false : isPaid || undefined
}

export function gatherBooleans(columnNames: readonly (string | null | undefined)[] = []): BooleanEvidence {
  const names = columnNames
    .map((name) => ({
      text: toName(name ?? ''),
      isCut: /\p{L}\.$/u.test(name ?? ''),
      done: findParticiple(name ?? ''),
    }))
    .filter(({ text }) => text.length >= MIN_NAME_LETTERS)
  const found = { letters: new Set<string>(), digits: new Set<string>(), ticks: new Set<string>() }
  const values = new Set<boolean>()
  const valuesByInitial = new Map<string, Set<boolean>>()
  const phrases = { true: new Set<string>(), false: new Set<string>() }
  const named = { true: new Set<string>(), false: new Set<string>() }
  let [hasWords, hasOtherNumbers, hasOther] = [false, false, false]
  function addValueOfInitial(word: string, value: boolean): void {
    const initial = word[0]!
    valuesByInitial.set(initial, (valuesByInitial.get(initial) ?? new Set()).add(value))
  }
  /** `o` is short for the `oui` of another row. */
  function addInitial(letter: string): void {
    const [value, ...others] = valuesByInitial.get(letter) ?? []
    if (value === undefined || others.length > 0 || LETTERS.get(letter) !== value) return
    named[`${value}`].add(letter)
    found.letters.delete(letter)
  }
  return {
    canDashMeanFalse: () => values.size < 2,
    add(text) {
      const word = normalize(text)
      const phrase = getPhraseWord(text)
      if (phrase !== undefined) phrases[`${phrase}`].add(word)
      const value = WORDS.get(word) ?? LETTERS.get(word) ?? DIGITS.get(word)
      if (value !== undefined) values.add(value)
      if (WORDS.has(word)) {
        hasWords = true
        addValueOfInitial(word, WORDS.get(word)!)
      } else if (DIGITS.has(word)) found.digits.add(word)
      else if (TICKS.has(word)) found.ticks.add(word)
      else if (/^\p{L}$/u.test(word)) found.letters.add(word)
      else if (/^[-+]?\d+(?:[.,]\d+)?$/.test(word)) hasOtherNumbers = true
      else {
        hasOther = true
        const namedValue = readName(text, names)
        if (namedValue === undefined || named[`${namedValue}`].size >= MAX_NAME_TEXTS) return
        named[`${namedValue}`].add(word)
        addValueOfInitial(word, namedValue)
      }
    },
    decide(hasEmpty, allowsIndeterminate, isMostlyEmpty = false) {
      const marks = [...found.ticks].filter((tick) => !DASHES.has(tick))
      const onlyTicks = !(hasWords || hasOther || hasOtherNumbers || found.letters.size > 0 || found.digits.size > 0)
      // Next to a written no, a mark means yes; a cross could mean either next to a written yes.
      const onlyYes = !(values.has(false) || hasOther || hasOtherNumbers || found.letters.size > 0)
      const areBlanksNo = onlyTicks || (onlyYes && isMostlyEmpty && found.digits.size === 0)
      const areMarksYes = (values.has(false) || areBlanksNo) && marks.every((mark) => TICKS.get(mark) === true)
      const areClear = [...found.ticks].every((tick) => CLEAR_MARKS.has(tick))
      const ticks = marks.length > 0 && (onlyTicks || areMarksYes || areClear)
      const hasFalse = [...found.ticks].some((tick) => TICKS.get(tick) === false)
      const sizes = [phrases.true.size, phrases.false.size]
      const arePhrasesClear = Math.max(...sizes) > 0 && Math.max(...sizes) <= MAX_PHRASES
      const letters = found.letters.size > 0 && areLettersClear([...found.letters])
      if (!letters) for (const letter of found.letters) addInitial(letter)
      const reading: BooleanReading = {
        type: 'boolean',
        ...(letters ? { letters } : {}),
        ...(found.digits.size > 0 && !hasOtherNumbers ? { digits: true } : {}),
        ...(ticks ? { ticks } : {}),
        ...(arePhrasesClear ? { phrases: true } : {}),
        ...(named.true.size > 0 ? { trueTexts: [...named.true] } : {}),
        ...(named.false.size > 0 ? { falseTexts: [...named.false] } : {}),
        ...(ticks && areBlanksNo && hasEmpty && !hasFalse && !allowsIndeterminate ? { emptyValue: false } : {}),
      }
      // Next to a check mark, a cross can mean no, but hardly where most cells are empty.
      const isCrossOpen = found.ticks.has(CROSS) && marks.some((mark) => CHECKS.has(mark))
      if (isCrossOpen && onlyTicks && !isMostlyEmpty) return askForCross(reading, [...found.ticks])
      const isAsked = found.letters.size > 0 && !letters && [...found.letters].every((letter) => LETTERS.has(letter))
      if (!isAsked) return { reading }
      const examples = [...found.letters].slice(0, EXAMPLES)
      const question = { about: 'boolean-letters' as const, examples, alternatives: [{ ...reading, letters: true }] }
      return { reading, question }
    },
  }
}

function askForCross(reading: BooleanReading, ticks: readonly string[]): Decision<BooleanReading> {
  const list = (value: boolean) => ticks.filter((tick) => tick !== CROSS && TICKS.get(tick) === value)
  const [trueTexts, falseTexts] = [
    [...(reading.trueTexts ?? []), ...list(true)],
    [...(reading.falseTexts ?? []), ...list(false)],
  ]
  const withoutCross: BooleanReading = {
    ...reading,
    ...{ ticks: undefined, emptyValue: undefined, trueTexts },
    ...(falseTexts.length > 0 ? { falseTexts } : {}),
  }
  const alternatives = [
    { ...reading, ticks: true },
    { ...withoutCross, falseTexts: [...falseTexts, CROSS] },
  ]
  return { reading: withoutCross, question: { about: 'boolean-letters', examples: [CROSS], alternatives } }
}

const areLettersClear = (letters: readonly string[]): boolean =>
  LETTER_SETS.some((set) => letters.every((letter) => set.has(letter))) &&
  (new Set(letters.map((letter) => LETTERS.get(letter))).size === 2 ||
    letters.every((letter) => CLEAR_LETTERS.has(letter)))

export function readBooleanIn(
  { letters, digits, ticks, phrases, trueTexts, falseTexts }: BooleanReading,
  text: string,
): { value: boolean } | { problem: 'unreadable' } {
  const word = normalize(text)
  const named = trueTexts?.includes(word) ? true : falseTexts?.includes(word) ? false : undefined
  const value =
    named ??
    WORDS.get(word) ??
    (letters ? LETTERS.get(word) : undefined) ??
    (digits ? DIGITS.get(word) : undefined) ??
    (ticks ? TICKS.get(word) : undefined) ??
    (phrases ? getPhraseWord(text) : undefined)
  return value === undefined ? { problem: 'unreadable' } : { value }
}
