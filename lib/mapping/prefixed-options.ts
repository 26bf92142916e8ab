/** Reads options behind a word that only says what they are: `Liv. A1` in `Livello`, `Kl. II` next to `Kl. IV`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import type { Option } from './option-words.ts'
import { spellRoman } from './ordinals.ts'
import { splitWords } from './tokenize.ts'

const PREFIXED = /^\s*(\p{L}{2,20})(?:([.:])\s*|\s+)(\S.{0,40})$/u
const CODE = /^(?:\p{Lu}{1,2}|\p{L}?\d{1,2}\p{L}?)$/u
const MIN_CODES = 2
/** `Not A` is not A, and `from 2` can be 3. */
const TURNING = new Set([
  ...'ab above anti below bez bis con do ex fino from geen hasta jusque kein keine max met min mit no non not od ohne om'.split(
    ' ',
  ),
  ...'over post pre sans sem semi senza sin sub sur to tot uber under unter until up upto von van zonder'.split(' '),
])

interface Prefixed {
  text: string
  word: string
  rest: string
  option: Option
  isCut: boolean
}

export function readPrefixed(
  texts: readonly string[],
  names: readonly string[],
  find: (text: string) => Option | undefined,
): Map<string, EnumValue> {
  const nameWords = names.flatMap(splitWords)
  const found = texts.flatMap((text): Prefixed[] => {
    const [, prefix, mark, end = ''] = PREFIXED.exec(text) ?? []
    const word = prefix && splitWords(prefix).join('')
    if (!word || TURNING.has(word)) return []
    const rest = end.trim()
    const option = find(rest) ?? find(spellRoman(rest))
    return option && isCalled(option, rest) ? [{ text, word, rest, option, isCut: mark !== undefined }] : []
  })
  const isNamed = ({ word, rest, isCut }: Prefixed): boolean =>
    nameWords.some((name) => name === word || ((isCut || CODE.test(rest)) && name.startsWith(word)))
  const isRepeated = ({ word, rest }: Prefixed): boolean =>
    CODE.test(spellRoman(rest)) &&
    new Set(found.filter((one) => one.word === word).map(({ option }) => option)).size >= MIN_CODES
  const meant = found.filter((one) => isNamed(one) || isRepeated(one))
  return new Map(meant.map(({ text, option }) => [text, option.value]))
}

/** The 1 of an option `1` is not its name if it is labelled `Red`. */
function isCalled({ value, names }: Option, rest: string): boolean {
  const [own] = splitWords(spellRoman(rest)).slice(-1)
  const labels = names.filter(({ text, isPart }) => !isPart && text !== String(value))
  return labels.length === 0 || labels.some(({ text }) => splitWords(spellRoman(text)).includes(own ?? ''))
}
