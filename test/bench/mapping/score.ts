/** How well matchers find the labelled pairs of the corpus: as the files come, and as people mess them up. */
import Fuse from 'fuse.js'
import { suggest } from '../../../lib/mapping/suggest.ts'
import { editDistance } from '../../../lib/mapping/words.ts'
import { Field } from '../../../schemas/fields.ts'
import type { Labelled } from './corpus.ts'
import { targetFields } from './targets.ts'

/** A pair a matcher found, and how sure it is, from 0 to 1. */
export interface Found {
  column: string
  field: string
  sure: number
}
export type Matcher = (columns: readonly string[], fields: readonly Field[]) => Found[]

interface Case {
  name: string
  columns: string[]
  fields: Field[]
  /** The field of each column that has one. */
  truth: Map<string, string>
}

/** Ways in which the same header comes from another hand. */
const MESSES: readonly ((header: string) => string)[] = [
  (header) => header.toUpperCase(),
  (header) => header.toLowerCase().replace(/[\s-]+/g, '_'),
  (header) => `  ${header} `,
  (header) => `${header}*`,
  (header) => header.replace(/[\s_-]+(\p{L})/gu, (_, letter: string) => letter.toUpperCase()),
  (header) => `${header} (required)`,
  (header) => header.replace(/\s+/g, '.'),
]

/** The data set as it is, and once more messed up: other spellings, another order, and columns that stand there twice. */
export function casesOf({ name, target, columns }: Labelled): Case[] {
  const told = columns.split('|').map((one) => {
    const [column = '', field] = one.split(' > ').map((part) => part.trim())
    return { column, field }
  })
  const fields = targetFields(target)
  const caseOf = (label: string, list: typeof told): Case => ({
    name: label,
    columns: list.map(({ column }) => column),
    fields,
    truth: new Map(list.flatMap(({ column, field }) => (field ? [[column, field] as const] : []))),
  })
  const messed = told.map(({ column, field }, index) => ({
    column: MESSES[(index * 3 + name.length) % MESSES.length]!(column),
    field,
  }))
  const twice = messed
    .filter((_, index) => index % 6 === 0)
    .map(({ column }) => ({ column: `${column}_2`, field: undefined }))
  return [caseOf(name, told), caseOf(`${name}, messed up`, [...messed, ...twice].reverse())]
}

export interface Score {
  pairs: number
  found: number
  right: number
  /** Of those found, the share that is right; of the pairs, the share found. */
  precision: number
  recall: number
  f1: number
  /** Pairs found wrongly, for people. */
  wrong: string[]
  missed: string[]
}

/** @param atLeast pairs the matcher is less sure of do not count as found */
export function score(cases: readonly Case[], matcher: Matcher, atLeast = 0): Score {
  let [pairs, found, right] = [0, 0, 0]
  const [wrong, missed]: string[][] = [[], []]
  for (const { name, columns, fields, truth } of cases) {
    const all = matcher(columns, fields).filter(({ sure }) => sure >= atLeast)
    pairs += truth.size
    found += all.length
    const good = all.filter(({ column, field }) => truth.get(column) === field)
    right += good.length
    for (const one of all)
      if (!good.includes(one))
        wrong!.push(`${name}: ${one.column} > ${one.field} ${one.sure.toFixed(2)}, not ${truth.get(one.column)}`)
    for (const [column, field] of truth)
      if (!good.some((one) => one.column === column)) missed!.push(`${name}: ${column} > ${field}`)
  }
  const [precision, recall] = [found ? right / found : 1, pairs ? right / pairs : 1]
  const f1 = precision + recall ? (2 * precision * recall) / (precision + recall) : 0
  return { pairs, found, right, precision, recall, f1, wrong: wrong!, missed: missed! }
}

export const ours: Matcher = (columns, fields) =>
  suggest(
    columns.map((key) => Field.parse({ key, type: 'string' })),
    fields,
  ).map(({ sourceField, destinationField, metadata }) => ({
    column: sourceField.key,
    field: destinationField.key,
    sure: metadata!.confidence!,
  }))

/** One to one, the surest pairs first. */
function surestFirst(all: readonly Found[]): Found[] {
  const [columns, fields] = [new Set<string>(), new Set<string>()]
  return all
    .toSorted((a, b) => b.sure - a.sure)
    .filter(({ column, field }) => {
      if (columns.has(column) || fields.has(field)) return false
      columns.add(column)
      fields.add(field)
      return true
    })
}

/** The fuzzy search that importers are commonly built on, over field names as people read them. */
export const fuse: Matcher = (columns, fields) => {
  const search = new Fuse(
    fields.map(({ key }) => ({ key, name: key.replaceAll('_', ' ') })),
    { keys: ['key', 'name'], includeScore: true, threshold: 0.6 },
  )
  return surestFirst(
    columns.flatMap((column) =>
      search
        .search(column.replaceAll('_', ' '))
        .map(({ item, score: distance = 1 }) => ({ column, field: item.key, sure: 1 - distance })),
    ),
  )
}

const letters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The share of letters that stay when one name is made the other. */
export const edits: Matcher = (columns, fields) =>
  surestFirst(
    columns.flatMap((column) =>
      fields.map(({ key }) => {
        const [a, b] = [letters(column), letters(key)]
        return { column, field: key, sure: 1 - editDistance(a, b) / Math.max(1, a.length, b.length) }
      }),
    ),
  )

/** A matcher at the threshold where it does best on these very cases. */
export function atItsBest(cases: readonly Case[], matcher: Matcher): Score {
  const known = new Map(cases.map((one) => [one, matcher(one.columns, one.fields)]))
  const again: Matcher = (columns) => known.get(cases.find((one) => one.columns === columns)!)!
  const scores = Array.from({ length: 19 }, (_, step) => score(cases, again, (step + 1) * 0.05))
  return scores.reduce((best, next) => (next.f1 > best.f1 ? next : best))
}

/** What automatic mapping accepts: suggestions clients are told are strong or absolute. */
export const ACCEPTED = 0.8
