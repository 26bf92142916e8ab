import { edgeToRule } from '../../lib/mapping/edges.ts'
import { addReadings } from '../../lib/mapping/readings.ts'
import { DERIVED_PREFIX } from '../../lib/mapping/rules/cells.ts'
import { createRuleEvaluator } from '../../lib/mapping/rules/evaluate.ts'
import { suggest } from '../../lib/mapping/suggest.ts'
import { createValueCheck, toStoredValue } from '../../lib/records/fields/values.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { generateMessyFile, type Language, type MessyFile } from './generate.ts'

const THIS_YEAR = 2026

export interface Counts {
  cells: number
  asMeant: number
  rows: number
  valid: number
  wrong: string[]
}

function importFile({ fields, texts }: MessyFile): Map<string, unknown[]> {
  const source: Field[] = fields.map(({ key }) => ({ key, type: 'string' }))
  const cells = new Map([...texts].map(([key, column]) => [key, column.map((text) => (text === '' ? null : text))]))
  const samples = new Map([...cells].map(([key, column]) => [key, column.slice(0, 100)]))
  const columns = new Map([...cells].map(([key, column]) => [key, [...new Set(column)]]))
  columns.delete('name')
  const edges = suggest(source, fields, { samples })
  const suggested = addReadings(edges, { columns, samples, thisYear: THIS_YEAR })
  const derived = new Map<string, unknown[]>()
  for (const { type, config } of [...suggested.edges.map(edgeToRule), ...suggested.conversions]) {
    const { inputs, outputs, evaluate } = createRuleEvaluator({ type, config } as never, new Set())
    const [input, output] = [inputs[0]!, outputs[0]!]
    const column = input.startsWith(DERIVED_PREFIX) ? derived.get(output)! : cells.get(input)!
    const values = column.map((value) => evaluate([value])[0])
    derived.set(output, values)
  }
  return derived
}

function countFile(file: MessyFile, counts: Counts): void {
  const imported = importFile(file)
  const length = file.texts.get('name')!.length
  const isRowValid = new Uint8Array(length).fill(1)
  const isRowMeant = new Uint8Array(length).fill(1)
  for (const field of file.fields) {
    const check = createValueCheck(field as never)
    for (let row = 0; row < length; row++) {
      const text = file.texts.get(field.key)![row]!
      const meant = file.meant.get(field.key)![row]
      const stored = toStoredValue(field.type, imported.get(field.key)?.[row])
      if (meant === undefined) isRowMeant[row] = 0
      if (check(stored) !== undefined || stored === null) isRowValid[row] = 0
      counts.cells++
      if (stored === (meant ?? text)) counts.asMeant++
      else if (check(stored) === undefined && stored !== null)
        counts.wrong.push(`${file.name}, ${field.key}: ${text} is ${String(meant)}, not ${String(stored)}`)
    }
  }
  for (let row = 0; row < length; row++) {
    if (!isRowMeant[row]) continue
    counts.rows++
    counts.valid += isRowValid[row]!
  }
}

export function importMessyFiles(language: Language, files: number): Counts {
  const counts: Counts = { cells: 0, asMeant: 0, rows: 0, valid: 0, wrong: [] }
  for (let seed = 1; seed <= files; seed++) countFile(generateMessyFile(language, seed), counts)
  return counts
}
