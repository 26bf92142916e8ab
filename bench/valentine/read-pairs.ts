/** Reads pairs of tables with known matches from a folder, in the layout of Valentine's data sets or of infermap. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parse } from 'csv-parse/sync'
import { measureTypeFit, toSampleTexts } from '../../lib/mapping/values.ts'
import { Field } from '../../schemas/sheets/fields.ts'

export interface Table {
  fields: Field[]
  samples: Map<string, string[]>
}

export interface TablePair {
  group: string
  name: string
  source: Table
  target: Table
  matches: [source: string, target: string][]
}

const MAX_ROWS = 1000

export function readPairs(folder: string): TablePair[] {
  return listFolders(folder).flatMap((path) => {
    const files = readdirSync(path)
    const find = (ending: RegExp) => files.find((file) => ending.test(file))
    const [source, target] = [find(/^source\.csv$|_source\.csv$/), find(/^target\.csv$|_target\.csv$/)]
    const truth = find(/^expected\.json$|_mapping\.json$/)
    if (!source || !target || !truth) return []
    return {
      group: relative(folder, path).split('/').slice(0, -1)[0] ?? basename(folder),
      name: relative(folder, path),
      source: readTable(join(path, source)),
      target: readTable(join(path, target)),
      matches: readMatches(join(path, truth)),
    }
  })
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return [folder, ...below.flatMap(({ name }) => listFolders(join(folder, name)))]
}

function readTable(path: string): Table {
  const [header = [], ...rows] = parse(readFileSync(path), {
    ...{ bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, to: MAX_ROWS + 1 },
  }) as string[][]
  const samples = new Map(header.map((key, at) => [key, rows.map((row) => row[at] ?? '')]))
  return { fields: header.map((key) => Field.parse({ key, type: guessType(samples.get(key)!) })), samples }
}

const MIN_TYPE_FIT = 0.95

/** The type a person would give the field. The values of the target are used for nothing else. */
function guessType(values: readonly string[]): 'number' | 'date' | 'string' {
  const texts = toSampleTexts(values)
  if (texts.length === 0) return 'string'
  return (['number', 'date'] as const).find((type) => measureTypeFit(texts, { type }) >= MIN_TYPE_FIT) ?? 'string'
}

function readMatches(path: string): [string, string][] {
  const truth = JSON.parse(readFileSync(path, 'utf8')) as {
    matches?: { source_column: string; target_column: string }[]
    mappings?: { source: string; target: string }[]
  }
  return truth.matches
    ? truth.matches.map((match) => [match.source_column, match.target_column])
    : (truth.mappings ?? []).map((mapping) => [mapping.source, mapping.target])
}
