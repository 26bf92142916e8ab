import type { Reading } from '../../../schemas/programs/readings.ts'
import { type ReadProblem, readValue } from '../../values/read-column.ts'
import { parseNumber } from '../../values/scalars.ts'
import { type Cell, isEmpty } from './cells.ts'

const MAX_CACHED_TEXTS = 20_000

export function createReader(reading: Reading): (value: Cell) => Cell {
  const cache = new Map<string, Cell>()
  const emptyValue = getEmptyValue(reading)
  return (value) => {
    if (isEmpty(value)) return emptyValue
    if (typeof value !== 'string') return value
    let cell = cache.get(value)
    if (cell === undefined) {
      if (cache.size >= MAX_CACHED_TEXTS) cache.clear()
      cell = readText(reading, value, emptyValue)
      cache.set(value, cell)
    }
    return cell
  }
}

export function readText(reading: Reading, text: string, emptyValue: Cell = null): Cell {
  if (text.trim() === '') return emptyValue
  const read = readValue(reading, text)
  if ('value' in read) return read.value
  // A number field would store `1.234` as 1.234 although it can be 1234. With a space, it stays a text with an error.
  return read.problem === 'ambiguous' && parseNumber(text) !== undefined ? `${text} ` : text
}

export function readCell(reading: Reading, value: Cell): { value: Cell; problem?: ReadProblem } {
  const text = isEmpty(value) ? '' : value
  if (typeof text !== 'string') return { value }
  if (text.trim() === '') return { value: getEmptyValue(reading) }
  const read = readValue(reading, text)
  return 'value' in read ? read : { value, problem: read.problem }
}

const getEmptyValue = (reading: Reading): Cell => (reading.type === 'boolean' ? reading.emptyValue : undefined) ?? null
