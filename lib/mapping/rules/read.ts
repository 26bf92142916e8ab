import type { Reading } from '../../../schemas/programs/readings.ts'
import { FORMATS } from '../../values/formats.ts'
import { describeProblem } from '../../values/problems.ts'
import { noteUnread } from '../../values/read-cell.ts'
import { listMeanings, listReadings, type ReadProblem, readValue } from '../../values/read-column.ts'
import { toStored } from '../../values/stored.ts'
import { findCodeOfValue } from '../codes.ts'
import { compact } from '../tokenize.ts'
import { type Cell, isEmpty } from './cells.ts'

const MAX_CACHED_TEXTS = 20_000

export function createReader(reading: Reading, field: string): (value: Cell, region?: Cell) => Cell {
  const cache = new Map<string, Cell>()
  return (value, region) => {
    if (typeof value !== 'string') return readCell(reading, value).value
    if (region !== undefined) return readText(reading, value, field, findRegion(region))
    let cell = cache.get(value)
    if (cell === undefined) {
      if (cache.size >= MAX_CACHED_TEXTS) cache.clear()
      cell = readText(reading, value, field)
      cache.set(value, cell)
    }
    return cell
  }
}

export const findRegion = (value: Cell): string | undefined =>
  typeof value === 'string' ? findCodeOfValue('region', compact(value)) : undefined

const REJECTED = new Set<string>(FORMATS)

export function readText(reading: Reading, text: string, field: string, rowRegion?: string): Cell {
  const { value, problem } = readCell(reading, text, rowRegion)
  if (problem === undefined) return value
  const meanings = listMeanings(listReadings(reading), text)
  return meanings.length > 0 || REJECTED.has(reading.type) || toStored(reading, text) !== text
    ? noteUnread(field, text, describeProblem(reading.type, problem, meanings))
    : text
}

export function readCell(reading: Reading, value: Cell, rowRegion?: string): { value: Cell; problem?: ReadProblem } {
  const text = isEmpty(value) ? '' : value
  if (typeof text !== 'string') return { value }
  if (text.trim() === '') return { value: getEmptyValue(reading) }
  const read = readValue(reading, text, rowRegion)
  return 'value' in read ? read : { value, problem: read.problem }
}

const getEmptyValue = (reading: Reading): Cell => (reading.type === 'boolean' ? reading.emptyValue : undefined) ?? null
