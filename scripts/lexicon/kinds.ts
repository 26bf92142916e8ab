/** Lists the kinds that nouns of WordNet belong to, without those too general (artifact) or seldom meant (man as soldier). */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** By number of WordNet's files of lexicographers, such as 13 for food: an orange is a fruit and a color. */
const KINDS: Readonly<Record<string, string>> = {
  3: 'animal, plant, food',
  4: `
    sport, water sport, martial art, dancing, game, card game, board game, crime, larceny, surgery, ceremony,
    journey, agriculture, gymnastics
  `,
  5: `
    mammal, bird, fish, reptile, amphibian, insect, arachnid, mollusk, crustacean, domestic animal, dog, cat,
    horse, cattle, primate, monkey, rodent, bird of prey, waterfowl, snake, lizard, whale, shark, duck, beetle,
    butterfly, invertebrate, worm, bacteria, virus, domestic fowl, carnivore, marsupial, livestock, bear, deer,
    microorganism, spider, frog, turtle, bee, ant, goat, sheep, swine
  `,
  6: `
    conveyance, vehicle, motor vehicle, car, truck, aircraft, airplane, boat, ship, watercraft, public transport,
    bicycle, motorcycle, weapon, firearm, gun, knife, tool, hand tool, musical instrument, stringed instrument,
    wind instrument, percussion instrument, woodwind, brass, clothing, garment, undergarment, footwear, shoe,
    headdress, hat, coat, dress, hosiery, swimsuit, jewelry, furniture, seat, chair, table, bed, lamp,
    furnishing, tableware, crockery, cutlery, glassware, home appliance, appliance, electronic equipment,
    computer, sports equipment, plaything, toiletry, cosmetic, perfume, medicine, drug, antibiotic, vaccine,
    fabric, linen, building, house, dwelling, shop, restaurant, hotel, place of worship, church, factory,
    outbuilding, room, machine, engine, pump, printer, source of illumination, measuring instrument, timepiece,
    optical instrument, bottle, bag, painting, sculpture, explosive, paint, fastener, bridge, tower,
    sailing vessel, warship, peripheral, camera, telephone, armor, floor covering, heater, stove, oven, rug,
    curtain
  `,
  8: 'organ, bone, muscle, gland, tooth, hormone',
  9: `
    science, natural science, social science, mathematics, biology, physics, chemistry, engineering,
    humanistic discipline, philosophy, psychology, economics
  `,
  10: `
    music, dance music, popular music, song, reference book, publication, periodical, legal document, document,
    contract, certificate, license, poem, fiction, drama, movie, software, letter, report, musical composition,
    book
  `,
  11: 'contest, accident, race',
  13: `
    beverage, edible fruit, meat, vegetable, alcohol, seafood, dairy product, bread, herb, spice, condiment,
    dessert, cake, wine, liquor, beer, candy, sweet, meal, pasta, berry, grain, soup, poultry, citrus, cheese,
    pastry, sausage, sauce, legume, fish, coffee, tea, milk, fruit juice, soft drink, cookie, vegetable oil,
    sweetening, salad, sandwich, dish, pork, beef, feed
  `,
  14: 'educational institution, school, military unit',
  18: `
    doctor, artist, musician, singer, scientist, lawyer, athlete, educator, teacher, engineer, writer, craftsman,
    clergyman, soldier, serviceman, military officer, politician, actor, parent, spouse, sibling,
    offspring, grandparent, biologist, farmer, health professional, painter, entertainer, sailor, journalist,
    nurse, designer, driver, medical practitioner, criminal, builder, dancer
  `,
  19: 'storm, precipitation',
  20: `
    tree, shrub, flower, grass, fern, fungus, vine, conifer, fruit tree, nut, fruit, cereal, weed, palm, cactus,
    orchid, moss, rose
  `,
  21: 'fee, coin, insurance, income',
  26: `
    illness, disease, infectious disease, injury, mental disorder, cancer, wound, skin disease, allergy,
    fracture, heart disease, inflammation
  `,
  27: `
    metallic element, alloy, wood, stone, gem, fiber, fuel, leather, gas, mineral, vitamin, oil,
    building material, poison, dye, pigment, plastic, paper, glass, chemical element, lumber, solvent,
    natural fiber, fertilizer
  `,
  28: 'season, holiday, weekday, month',
}

const EXTINCT = ['5 dinosaur', '5 mammoth']

/** People call conveyances transport, and hotels accommodation; WordNet does not. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  '6 conveyance': ['4 transportation', '6 transportation'],
  '6 public transport': ['4 travel'],
  '6 aircraft': ['4 travel'],
  '6 cab': ['4 travel'],
  '6 clothing': ['6 apparel'],
  '6 hotel': ['6 accommodation', '4 lodging', '6 lodging'],
  '6 source of illumination': ['26 illumination', '4 lighting'],
}

interface Noun {
  words: readonly string[]
  file: string
  broader: readonly string[]
}

const NOUN = /^(\d{8}) (\d\d) n ([\da-f]{2}) /
const BROADER = /@ (\d{8}) n/g

function readNouns(folder: string): Map<string, Noun> {
  const nouns = new Map<string, Noun>()
  for (const line of readFileSync(resolve(folder, 'data.noun'), 'latin1').split('\n')) {
    const [start, id, file, count] = NOUN.exec(line) ?? []
    if (start === undefined) continue
    const columns = line.slice(start.length, line.indexOf(' | ')).split(' ')
    const words = Array.from({ length: Number.parseInt(count!, 16) }, (_, at) =>
      columns[2 * at]!.replaceAll('_', ' ').toLowerCase(),
    )
    const broader = [...columns.join(' ').matchAll(BROADER)].map(([, other]) => other!)
    nouns.set(id!, { words, file: String(Number(file)), broader })
  }
  return nouns
}

function countMeanings(folder: string): Map<string, number> {
  const ids = new Map<string, string[]>()
  for (const line of readFileSync(resolve(folder, 'index.noun'), 'latin1').split('\n')) {
    const [word = '', ...columns] = line.trim().split(/\s+/)
    ids.set(word, columns.slice(-Number(columns[1])))
  }
  const counts = new Map<string, number>()
  for (const line of readFileSync(resolve(folder, 'cntlist.rev'), 'latin1').split('\n')) {
    const [key = '', number, count] = line.split(' ')
    const [word = '', kind] = key.split('%')
    const id = kind?.startsWith('1:') ? ids.get(word)?.[Number(number) - 1] : undefined
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + Number(count))
  }
  return counts
}

function createBroader(nouns: ReadonlyMap<string, Noun>): (id: string) => ReadonlySet<string> {
  return (id) => {
    const found = new Set([id])
    for (const one of found) for (const other of nouns.get(one)?.broader ?? []) found.add(other)
    return found
  }
}

export function listKinds(folder: string, kept: readonly string[]): [number: number, values: number[]][] {
  const [nouns, counts] = [readNouns(folder), countMeanings(folder)]
  const listBroader = createBroader(nouns)
  const numbers = new Map(kept.map((id, at) => [id, at]))
  const all = kept.filter((id) => nouns.has(id)).map((id) => [id, listBroader(id)] as const)
  const toFound = createFinder(nouns, all)
  const kinds = new Set(
    Object.entries(KINDS).flatMap(([file, words]) => words.split(',').flatMap((word) => toFound(file, word.trim()))),
  )
  const named = Object.entries(OTHER_NAMES).map(
    ([kind, names]) => [toFound(...split(kind)), names.flatMap((name) => toFound(...split(name)))] as const,
  )
  const others = new Set(named.flatMap(([, ids]) => ids))
  const extinct = EXTINCT.flatMap((name) => toFound(...split(name)))
  return all.map(([id, broader]) => {
    const isExtinct = extinct.some((one) => broader.has(one))
    const own = isExtinct ? [] : [...broader].filter((one) => kinds.has(one) || (one === id && others.has(id)))
    const also = named.flatMap(([of, ids]) => (of.some((one) => broader.has(one)) ? ids : []))
    return [
      numbers.get(id)!,
      [(counts.get(id) ?? 0) + 1, ...[...new Set([...own, ...also])].map((one) => numbers.get(one)!)],
    ]
  })
}

const split = (name: string): [string, string] => {
  const at = name.indexOf(' ')
  return [name.slice(0, at), name.slice(at + 1)]
}

/** A word can be the first name of several meanings, such as table. */
function createFinder(
  nouns: ReadonlyMap<string, Noun>,
  all: readonly (readonly [string, ReadonlySet<string>])[],
): (file: string, word: string) => string[] {
  return (file, word) => {
    const found = all
      .map(([id]) => id)
      .filter((id) => nouns.get(id)!.file === file && nouns.get(id)!.words.includes(word))
    if (found.length === 0) throw new Error(`${word} is not in WordNet, or in too few languages.`)
    const first = found.filter((id) => nouns.get(id)!.words[0] === word)
    const count = (id: string): number => all.filter(([, broader]) => broader.has(id)).length
    return first.length > 0 ? first : found.sort((a, b) => count(b) - count(a)).slice(0, 1)
  }
}
