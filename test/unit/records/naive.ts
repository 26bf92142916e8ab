/** A naive query evaluator over a list of all records: the reference for the engine. */
import type { Cell, Field, ListQuery, Selection, WireRecord } from '../../../lib/records/sheet.ts'

export type Naive =
  | { kind: 'and' | 'or'; of: Naive[] }
  | { kind: 'not'; of: Naive }
  | { kind: 'compare'; field?: string; operator: string; value: string }
  | { kind: 'is'; field?: string; state: string }

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const toLower = (value: unknown): string => toText(value).toLowerCase()

function likePattern(pattern: string): RegExp {
  let source = ''
  const chars = Array.from(pattern)
  for (let i = 0; i < chars.length; i++) {
    const escaped = chars[i] === '\\' && ['%', '_', '\\'].includes(chars[i + 1] ?? '')
    if (escaped) i++
    const char = chars[i]!
    if (!escaped && char === '%') source += '.*'
    else if (!escaped && char === '_') source += '.'
    else source += /[.*+?^${}()|[\]\\/]/.test(char) ? `\\${char}` : char
  }
  return new RegExp(`^${source}$`, 'su')
}

function parseSize(type: string, value: unknown): number | undefined {
  if (type === 'number') {
    if (typeof value === 'number') return value
    const size = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
    return Number.isNaN(size) ? undefined : size
  }
  if (type === 'date' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) {
    const time = Date.parse(value)
    return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value ? undefined : time
  }
  return undefined
}

function matchesScalar(operator: string, type: string, value: unknown, operand: string): boolean {
  if (operator === 'like') return likePattern(operand).test(toText(value))
  if (operator === 'ilike') return likePattern(operand.toLowerCase()).test(toLower(value))
  if (operator === 'contains') return toLower(value).includes(operand.toLowerCase())
  const own = parseSize(type, value)
  const other = parseSize(type, operand)
  const sized = own !== undefined && other !== undefined
  if (operator === 'eq') {
    if (sized) return own === other || toText(value) === operand
    return type === 'boolean' ? toLower(value) === operand.toLowerCase() : toText(value) === operand
  }
  if ((type === 'number' || type === 'date') && !sized) return false
  const [x, y] = sized ? [own, other] : [toLower(value), operand.toLowerCase()]
  return { lt: x < y, gt: x > y, lte: x <= y, gte: x >= y }[operator]!
}

function matchesCell(operator: string, type: string, value: unknown, operand: string): boolean {
  if (operator === 'ne') return !matchesCell('eq', type, value, operand)
  if (operand === '' && operator === 'eq') return value === null
  if (value === null) return false
  if (!Array.isArray(value)) return matchesScalar(operator, type, value, operand)
  if (operator === 'contains') return value.some((one) => toLower(one) === operand.toLowerCase())
  return value.some((one) => matchesScalar(operator, type, one, operand))
}

const LEVELS: { [state: string]: string } = { error: 'error', warning: 'warn', info: 'info' }

function matchesState(state: string, cells: readonly Cell[]): boolean {
  if (state === 'empty') return cells.some(({ value }) => value === null)
  if (state === 'valid') return cells.every(({ valid }) => valid)
  return cells.some(({ messages }) => messages.some(({ type }) => type === LEVELS[state]))
}

export function matches(condition: Naive, fields: readonly Field[], record: WireRecord): boolean {
  if (condition.kind === 'not') return !matches(condition.of, fields, record)
  if (condition.kind === 'compare') {
    const { operator, value } = condition
    return meant(fields, condition.field).some(({ key, type }) =>
      matchesCell(operator, type, record.values[key]!.value, value),
    )
  }
  if (condition.kind === 'is') {
    const cells = meant(fields, condition.field).map(({ key }) => record.values[key]!)
    return matchesState(condition.state, cells)
  }
  if (condition.kind === 'and') return condition.of.every((one) => matches(one, fields, record))
  return condition.of.some((one) => matches(one, fields, record))
}

const meant = (fields: readonly Field[], named: string | undefined): readonly Field[] =>
  fields.filter(({ key }) => named === undefined || key === named)

function matchesSearch(search: NonNullable<Selection['search']>, record: WireRecord): boolean {
  const { value: wanted, field } = search
  return Object.entries(record.values).some(([key, { value }]) => {
    if (field !== undefined && key !== field) return false
    if (wanted === '""') return value === null
    if (value === null) return false
    const whole = wanted.length > 1 && wanted.startsWith('"') && wanted.endsWith('"')
    return whole ? toLower(value) === wanted.slice(1, -1).toLowerCase() : toLower(value).includes(wanted.toLowerCase())
  })
}

export interface World {
  fields: readonly Field[]
  records: readonly WireRecord[]
  commits: readonly { id: string; touched: ReadonlySet<string> }[]
}

export function selectNaively(world: World, query: Selection, condition?: Naive): WireRecord[] {
  const { filter, filterField, search, ids, commitId, sinceCommitId } = query
  const at = world.commits.findIndex(({ id }) => id === sinceCommitId)
  const later = world.commits.slice(at + 1)
  return world.records.filter((record) => {
    if (filter === 'none') return false
    const valid = filterField === undefined ? record.valid : record.values[filterField]!.valid
    if (filter === 'valid' && !valid) return false
    if (filter === 'error' && valid) return false
    if (search && !matchesSearch(search, record)) return false
    if (condition && !matches(condition, world.fields, record)) return false
    const excludes = filter !== undefined || search !== undefined || condition !== undefined
    if (ids && ids.includes(record.id) === excludes) return false
    if (commitId && !world.commits.some(({ id, touched }) => id === commitId && touched.has(record.id))) return false
    return sinceCommitId === undefined || later.some(({ touched }) => touched.has(record.id))
  })
}

function getSortKey(type: string, value: unknown): number | string | null {
  if (value === null) return null
  const number = type === 'number' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? toLower(value) : number
}

export function sortNaively(
  world: World,
  records: readonly WireRecord[],
  { field, direction }: NonNullable<ListQuery['sort']>,
): WireRecord[] {
  const type = world.fields.find(({ key }) => key === field)!.type
  const sign = direction === 'asc' ? 1 : -1
  return [...records].sort((a, b) => {
    const x = getSortKey(type, a.values[field]!.value)
    const y = getSortKey(type, b.values[field]!.value)
    if (x === y) return 0
    if (x === null || y === null) return x === null ? 1 : -1
    if (typeof x !== typeof y) return typeof x === 'number' ? -sign : sign
    return x < y ? -sign : sign
  })
}
