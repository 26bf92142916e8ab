/** Recognizes Latin encodings by words, because the cells of a table have too few letters for byte statistics. */
import iconv from 'iconv-lite'

/** Non-ASCII letters with their places: a grave accent of Italian is at the end of a word, one of French is not. */
const WESTERN = {
  german: '[äöüß]',
  french: '[àâçéêëîïôœûüÿ]|è(?=[b-df-hj-np-tv-z])|ù$|æ(?=.)',
  spanish: '[áéíñóúüç]',
  italian: '[àèìòù]$|[éíîóú]',
  portuguese: '[áâãàçéêíóôú]|õ(?=[es])',
  catalan: '[àçéíïóúü·]|[èò](?=[b-df-hj-np-tv-z])',
  dutch: '[áéèëïöüóêâ]',
  danish: '[øåéóäö]|æ(?=.)',
  swedish: '[åäöéü]',
  icelandic: '[áéíóúýæðöþ]',
}
const CENTRAL = ['windows-1250', 'iso-8859-2']
const OTHERS = {
  polish: { letters: '[ąćęłńóśźż]', encodings: CENTRAL },
  czech: { letters: '[áčďéěíňóřšťúůýž]', encodings: CENTRAL },
  slovak: { letters: '[áäčďéíĺľňóôŕšťúýž]', encodings: CENTRAL },
  hungarian: { letters: '[áéíóöőúüű]', encodings: CENTRAL },
  croatian: { letters: '[čćđšž]', encodings: CENTRAL },
  romanian: { letters: '[ăâîşţ]', encodings: CENTRAL },
  turkish: { letters: '[çğıöşüâîû]', encodings: ['windows-1254'] },
}

const compileWord = (letters: string): RegExp => new RegExp(`^(?:[a-z'’-]|${letters})*$`, 'u')
const WESTERN_WORDS = Object.values(WESTERN).map(compileWord)
const CANDIDATES = Object.values(OTHERS).flatMap(({ letters, encodings }) =>
  encodings.map((encoding) => ({ encoding, word: compileWord(letters) })),
)

const MIN_FOREIGN_WORDS = 2
const MIN_FOREIGN_SHARE = 0.1
const MIN_EXPLAINED_SHARE = 0.95
/** The other words can be those of neighbours: Czech names in a Polish list. */
const MIN_OWN_SHARE = 0.75
const MIN_WESTERN_WORDS = 5

/** @param text the bytes as latin1. Returns nothing if the words do not decide. */
export function detectByWords(text: string): string | undefined {
  const words = [...new Set(text.match(/[a-z\x80-\xff]{2,}/gi))]
    .map((bytes) => ({ bytes, western: decodeWord(bytes, WINDOWS) }))
    .filter(({ western }) => /[^ -~]/.test(western))
  const foreign = words.filter(({ western }) => !isWestern(western)).length
  if (foreign === 0) return words.length === 0 || words.length >= MIN_WESTERN_WORDS ? WINDOWS : undefined
  if (foreign < Math.max(MIN_FOREIGN_WORDS, words.length * MIN_FOREIGN_SHARE)) return undefined
  const [best] = CANDIDATES.map(({ encoding, word }) => ({
    encoding,
    explained: words
      .map(({ bytes }) => decodeWord(bytes, encoding))
      .filter((decoded) => word.test(decoded) || isWestern(decoded)).length,
  })).sort((one, other) => other.explained - one.explained)
  const { encoding, explained } = best!
  if (explained < words.length - foreign * (1 - MIN_OWN_SHARE)) return undefined
  const isNeighbour = (word: string): boolean =>
    isWestern(word) || CANDIDATES.some((other) => other.encoding === encoding && other.word.test(word))
  const known = words.filter(({ bytes }) => isNeighbour(decodeWord(bytes, encoding)))
  return known.length >= words.length * MIN_EXPLAINED_SHARE ? encoding : undefined
}

const WINDOWS = 'windows-1252'

const isWestern = (word: string): boolean => WESTERN_WORDS.some((pattern) => pattern.test(word))

/** In lower case, without the signs around it. In front of a small letter, `©` may be a letter of another encoding. */
const decodeWord = (bytes: string, encoding: string): string =>
  iconv
    .decode(Buffer.from(bytes, 'latin1'), encoding)
    .replace(/^(?:[^\p{L}©®£¥¦¯]|µ|[©®£¥¦¯](?!\p{Ll}))+|[^\p{L}]+$|(?<=.)[ªº]$/gu, '')
    .replaceAll('İ', 'i')
    .toLowerCase()
