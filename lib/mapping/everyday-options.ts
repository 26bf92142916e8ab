/** Finds options by words and brands of everyday lists: `DHL` is a courier among ways to send, `Train` is transport. Pure. */
import buildingsAndMachines from './everyday-options/buildings-and-machines.json' with { type: 'json' }
import customersAndMoney from './everyday-options/customers-and-money.json' with { type: 'json' }
import goodsAndFood from './everyday-options/goods-and-food.json' with { type: 'json' }
import healthAndNature from './everyday-options/health-and-nature.json' with { type: 'json' }
import peopleAndWork from './everyday-options/people-and-work.json' with { type: 'json' }
import travelAndLeisure from './everyday-options/travel-and-leisure.json' with { type: 'json' }

interface NamedOption {
  names: readonly { compact: string }[]
}

/** A list is active if half of its entries, or of the options, have a match, and at least two. */
const MIN_ENTRIES = 2
const MAX_OPTIONS = 100

interface Entry {
  list: string
  names: readonly string[]
  texts: readonly string[]
}

type Words = Omit<Entry, 'list'>

export const subjects: readonly Record<string, Record<string, Words>>[] = [
  buildingsAndMachines,
  customersAndMoney,
  goodsAndFood,
  healthAndNature,
  peopleAndWork,
  travelAndLeisure,
]

const lists = subjects.flatMap((subject) => Object.entries(subject))

const entries: Entry[] = lists.flatMap(([list, ofList]) =>
  Object.entries(ofList).map(([name, { names, texts }]): Entry => ({ list, names: [name, ...names], texts })),
)

const isUnclear = ({ names: [name] }: Entry): boolean => name === 'unclear'

const entryCounts = new Map(
  lists.map(([list, ofList]) => [list, Object.keys(ofList).filter((name) => name !== 'unclear').length]),
)

type EntryIndex = ReadonlyMap<string, readonly Entry[]>

const indexBy = (listWords: (entry: Entry) => readonly string[]): EntryIndex => {
  const byWord = new Map<string, Entry[]>()
  for (const entry of entries)
    for (const word of new Set(listWords(entry))) {
      const known = byWord.get(word)
      if (known) known.push(entry)
      else byWord.set(word, [entry])
    }
  return byWord
}

let indexes: Readonly<Record<'byName' | 'byText', EntryIndex>> | undefined

const readIndexes = () => {
  indexes ??= {
    byName: indexBy((entry) => (isUnclear(entry) ? [] : entry.names)),
    byText: indexBy(({ texts }) => texts),
  }
  return indexes
}

export interface EverydayOptions<T> {
  isUnclear: (text: string) => boolean
  find: (text: string) => readonly T[]
  listNames: (option: T) => readonly string[]
  /** Removes options of a list next to which the text means another entry: a tie is not a dress without accessories. */
  correct: (text: string, found: readonly T[]) => readonly T[]
}

export function indexEveryday<T extends NamedOption>(options: readonly T[]): EverydayOptions<T> {
  const named = options.length > MAX_OPTIONS ? new Map<Entry, Set<T>>() : findEntries(options)
  const used = new Set([...named.keys()].map(({ list }) => list))
  const active = new Set([...used].filter((list) => isActive(list, named, options.length)))
  if (active.size === 0)
    return { isUnclear: () => false, find: () => [], listNames: () => [], correct: (_, found) => found }
  const { byName, byText } = readIndexes()
  const listActive = (index: EntryIndex, text: string): Entry[] =>
    (index.get(text) ?? []).filter(({ list }) => active.has(list))
  const listDirect = (text: string): Entry[] => [...listActive(byName, text), ...listActive(byText, text)]
  const toOptions = (found: readonly Entry[]): readonly T[] => [
    ...new Set(found.flatMap((entry) => [...(named.get(entry) ?? [])])),
  ]
  /** `No le gusta` is a change of mind, unless an option says that something is not liked. */
  const listMeant = (text: string): readonly T[] => {
    const found = toOptions(listActive(byName, text))
    return found.length > 0 ? found : toOptions(listDirect(text))
  }
  return {
    isUnclear: (text) => listActive(byText, text).some(isUnclear),
    find: listMeant,
    listNames: (option) =>
      [...named].flatMap(([entry, of]) => (active.has(entry.list) && of.has(option) ? entry.names : [])),
    correct: (text, found) => {
      const direct = listDirect(text)
      const meant = listMeant(text)
      const lists = new Set(direct.map(({ list }) => list))
      const mates = new Set(toOptions([...named.keys()].filter(({ list }) => lists.has(list))))
      const isCorrected = meant.length <= 1 || direct.some(isUnclear)
      return isCorrected && found.every((option) => mates.has(option)) ? meant : found
    },
  }
}

function findEntries<T extends NamedOption>(options: readonly T[]): ReadonlyMap<Entry, ReadonlySet<T>> {
  const { byName } = readIndexes()
  const found = new Map<Entry, Set<T>>()
  for (const option of options)
    for (const entry of option.names.flatMap(({ compact }) => byName.get(compact) ?? []))
      found.set(entry, (found.get(entry) ?? new Set()).add(option))
  return found
}

function isActive<T>(list: string, named: ReadonlyMap<Entry, ReadonlySet<T>>, options: number): boolean {
  const own = [...named].filter(([entry]) => entry.list === list)
  const matched = Math.min(own.length, new Set(own.flatMap(([, ofEntry]) => [...ofEntry])).size)
  return matched >= MIN_ENTRIES && matched * 2 >= Math.min(entryCounts.get(list)!, options)
}
