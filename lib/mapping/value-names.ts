/** Changes what the name of a column means if its values say more, such as places under `From` and codes under `Item`. Pure. */
import { areMost, isCode, isStateCode } from './evidence.ts'
import { isOfKind, type Name } from './names.ts'
import { isDateText, isNumberText } from './values.ts'
import { findMeaning } from './vocabulary.ts'

const CODED_MEANINGS: ReadonlyMap<number, number> = new Map(
  Object.entries({
    'product name': 'sku',
    'customer name': 'customer id',
    'supplier name': 'supplier number',
    employee: 'employee id',
    patient: 'patient number',
    tags: 'inventory number',
  }).map(([named, coded]) => [findMeaning(named), findMeaning(coded)]),
)

export const nameByValues = (name: Name, texts: readonly string[]): Name =>
  namePlaces(name, texts) ?? nameCities(name, texts) ?? nameStates(name, texts) ?? nameCodes(name, texts)

const MAX_FIRST_POSITION = 10

/** `Item` above codes is the number of an item, unless they count its positions. */
function nameCodes(name: Name, texts: readonly string[]): Name {
  if (!name.meanings.some((meaning) => CODED_MEANINGS.has(meaning)) || isOfKind(name, 'name')) return name
  if (!areMost(texts, isCode) || Number(texts[0]) <= MAX_FIRST_POSITION) return name
  const meanings = name.meanings.map((meaning) => CODED_MEANINGS.get(meaning) ?? meaning)
  return { ...name, meanings, isAbbreviated: true }
}

const FROM = new Set('from von van de du desde da dal z od ab depuis'.split(' '))
const TO = new Set('to nach naar para a au hasta al do vers'.split(' '))
const PLACES = [
  { words: FROM, meanings: ['origin', 'from location'].map(findMeaning) },
  { words: TO, meanings: ['destination', 'to location'].map(findMeaning) },
]

/** `To` above texts is where something goes, and above dates or numbers when or where it ends. */
function namePlaces(name: Name, texts: readonly string[]): Name | undefined {
  const found = PLACES.find(({ words }) => name.rawWords.length === 1 && words.has(name.compact))
  if (!found || !areMost(texts, mayBePlace)) return undefined
  return { ...name, meanings: found.meanings, isAbbreviated: true, isVague: false }
}

const mayBePlace = (text: string): boolean =>
  /\p{L}/u.test(text) && !/[@:]/.test(text) && !isDateText(text) && !isNumberText(text)

const [LOCATION, CITY] = ['location', 'city'].map(findMeaning)

/** `Lieu` above names such as `Lyon` can be a city, and above `Salle 2` cannot. */
function nameCities(name: Name, texts: readonly string[]): Name | undefined {
  const isPlace = name.rawWords.length === 1 && name.meanings.length === 1 && name.meanings[0] === LOCATION
  if (!isPlace || !areMost(texts, (text) => CITY_NAME.test(text))) return undefined
  return { ...name, meanings: [LOCATION!, CITY!] }
}

const STATE = findMeaning('state')

/** `ST` above `VA` and `NC`, which are codes of countries too. */
const nameStates = (name: Name, texts: readonly string[]): Name | undefined =>
  name.compact === 'st' && texts.length > 0 && areMost(texts, isStateCode)
    ? { ...name, meanings: [STATE], isAbbreviated: true }
    : undefined

const CITY_NAME = /^\p{Lu}\p{L}+(?:[ '’-]\p{Lu}?\p{L}+){0,2}$/u

const YES_OR_NO = /(?<=\p{L}\p{M}*[.)]?)\s*[\s(](?:[OSJTY]\/N|[osjty]\/n)\)?\s*$/u

/** `Pago S/N` asks for yes or no, and `Device S/N` is a serial number. */
export const withoutYesOrNo = (name: string, areYesOrNo: boolean): string =>
  areYesOrNo ? name.replace(YES_OR_NO, '') : name
