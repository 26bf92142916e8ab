/** Scores matchers on the labelled pairs of the corpus, both unchanged and with altered headers. */
import Fuse from 'fuse.js'
import { suggest } from '../../lib/mapping/suggest.ts'
import { editDistance } from '../../lib/mapping/tokenize.ts'
import { Field } from '../../schemas/sheets/fields.ts'
import type { Labelled } from './corpus.ts'
import { getTargetFields } from './targets.ts'

export interface Found {
  column: string
  field: string
  confidence: number
}
export type Matcher = (columns: readonly string[], fields: readonly Field[]) => Found[]

interface Case {
  name: string
  columns: string[]
  fields: Field[]
  truth: Map<string, string>
}

const VARIATIONS: readonly ((header: string) => string)[] = [
  (header) => header.toUpperCase(),
  (header) => header.toLowerCase().replace(/[\s-]+/g, '_'),
  (header) => `  ${header} `,
  (header) => `${header}*`,
  (header) => header.replace(/[\s_-]+(\p{L})/gu, (_, letter: string) => letter.toUpperCase()),
  (header) => `${header} (required)`,
  (header) => header.replace(/\s+/g, '.'),
]

export function createCases({ name, target, columns }: Labelled): Case[] {
  const labelled = columns.split('|').map((one) => {
    const [column = '', field] = one.split(' > ').map((part) => part.trim())
    return { column, field }
  })
  const fields = getTargetFields(target)
  const createCase = (label: string, list: typeof labelled): Case => ({
    name: label,
    columns: list.map(({ column }) => column),
    fields,
    truth: new Map(list.flatMap(({ column, field }) => (field ? [[column, field] as const] : []))),
  })
  const altered = labelled.map(({ column, field }, index) => ({
    column: VARIATIONS[(index * 3 + name.length) % VARIATIONS.length]!(column),
    field,
  }))
  const duplicates = altered
    .filter((_, index) => index % 6 === 0)
    .map(({ column }) => ({ column: `${column}_2`, field: undefined }))
  return [createCase(name, labelled), createCase(`${name}, messed up`, [...altered, ...duplicates].reverse())]
}

export interface Score {
  pairs: number
  found: number
  right: number
  precision: number
  recall: number
  f1: number
  wrong: string[]
  missed: string[]
}

export function score(cases: readonly Case[], matcher: Matcher, atLeast = 0): Score {
  let [pairs, found, right] = [0, 0, 0]
  const [wrong, missed]: string[][] = [[], []]
  for (const { name, columns, fields, truth } of cases) {
    const all = matcher(columns, fields).filter(({ confidence }) => confidence >= atLeast)
    pairs += truth.size
    found += all.length
    const correct = all.filter(({ column, field }) => truth.get(column) === field)
    right += correct.length
    for (const one of all)
      if (!correct.includes(one))
        wrong!.push(`${name}: ${one.column} > ${one.field} ${one.confidence.toFixed(2)}, not ${truth.get(one.column)}`)
    for (const [column, field] of truth)
      if (!correct.some((one) => one.column === column)) missed!.push(`${name}: ${column} > ${field}`)
  }
  const [precision, recall] = [found ? right / found : 1, pairs ? right / pairs : 1]
  const f1 = precision + recall ? (2 * precision * recall) / (precision + recall) : 0
  return { pairs, found, right, precision, recall, f1, wrong: wrong!, missed: missed! }
}

export const matchByEngine: Matcher = (columns, fields) =>
  suggest(
    columns.map((key) => Field.parse({ key, type: 'string' })),
    fields,
  ).map(({ sourceField, destinationField, metadata }) => ({
    column: sourceField.key,
    field: destinationField.key,
    confidence: metadata!.confidence!,
  }))

function pickMostConfident(all: readonly Found[]): Found[] {
  const [columns, fields] = [new Set<string>(), new Set<string>()]
  return all
    .toSorted((a, b) => b.confidence - a.confidence)
    .filter(({ column, field }) => {
      if (columns.has(column) || fields.has(field)) return false
      columns.add(column)
      fields.add(field)
      return true
    })
}

export const matchByFuse: Matcher = (columns, fields) => {
  const search = new Fuse(
    fields.map(({ key }) => ({ key, name: key.replaceAll('_', ' ') })),
    { keys: ['key', 'name'], includeScore: true, threshold: 0.6 },
  )
  return pickMostConfident(
    columns.flatMap((column) =>
      search
        .search(column.replaceAll('_', ' '))
        .map(({ item, score: distance = 1 }) => ({ column, field: item.key, confidence: 1 - distance })),
    ),
  )
}

const normalizeName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

export const matchByEditDistance: Matcher = (columns, fields) =>
  pickMostConfident(
    columns.flatMap((column) =>
      fields.map(({ key }) => {
        const [a, b] = [normalizeName(column), normalizeName(key)]
        return { column, field: key, confidence: 1 - editDistance(a, b) / Math.max(1, a.length, b.length) }
      }),
    ),
  )

export function scoreAtBestThreshold(cases: readonly Case[], matcher: Matcher): Score {
  const cached = new Map(cases.map((one) => [one, matcher(one.columns, one.fields)]))
  const matchCached: Matcher = (columns) => cached.get(cases.find((one) => one.columns === columns)!)!
  const scores = Array.from({ length: 19 }, (_, step) => score(cases, matchCached, (step + 1) * 0.05))
  return scores.reduce((best, next) => (next.f1 > best.f1 ? next : best))
}

export const ACCEPTED_CONFIDENCE = 0.8
