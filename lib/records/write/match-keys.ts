/** Matches rows to records by one or several fields, compared as typed values. Takes at most 56 bytes per key. */
import { hashInto } from '../columns/hash.ts'
import { createKeyTable, resize } from '../columns/key-table.ts'
import { type FieldRules, toStoredCell } from '../fields/rules.ts'
import { valueToText } from '../fields/values.ts'

export const EMPTY_KEY = -1
export const NEW_KEY = -2

export interface RepeatedKeys {
  keys: number
  examples: string[]
}

/** Values of the key fields, in their order. */
export type KeyColumns = readonly (readonly unknown[] | undefined)[]

export interface RecordPosition {
  segment: number
  row: number
}

type IsSameRecord = (before: RecordPosition, after: RecordPosition) => boolean

export interface KeyMatcher {
  addRecord(columns: KeyColumns, index: number, position: RecordPosition): void
  matchRow(columns: KeyColumns, index: number): number
  getPosition(match: number): RecordPosition
  repeated: { rows: RepeatedKeys; records: RepeatedKeys }
  findRecord(hash: { hi: number; lo: number }): { position: RecordPosition; isRepeated: boolean } | undefined
  hasSameMatches(other: KeyMatcher, isSameRecord: IsSameRecord): boolean
}

const MAX_EXAMPLES = 3

const RECORD = 1
const REPEATED_RECORD = 2
const MATCHED = 4
const REPEATED_ROW = 8

/** @param addsNew rows without a record are added, so their keys must differ too */
export function createKeyMatcher(fields: readonly FieldRules[], addsNew: boolean, expected = 0): KeyMatcher {
  const table = createKeyTable(expected)
  let segments = new Uint32Array(expected)
  let rows = new Uint32Array(expected)
  let flags = new Uint32Array(expected)
  const repeated = { rows: { keys: 0, examples: [] }, records: { keys: 0, examples: [] } }
  const hi = new Uint32Array(1)
  const lo = new Uint32Array(1)

  function hashKey(columns: KeyColumns, index: number): boolean {
    const text = formatKey(fields, columns, index)
    if (text === undefined) return false
    hashInto(text, hi, lo, 0)
    return true
  }

  function addKey(flag: number, { segment, row }: RecordPosition = { segment: 0, row: 0 }): void {
    const number = table.add(hi[0]!, lo[0]!)
    if (number === flags.length) {
      const length = 2 * Math.max(number, 8)
      segments = resize(segments, length)
      rows = resize(rows, length)
      flags = resize(flags, length)
    }
    segments[number] = segment
    rows[number] = row
    flags[number] = flag
  }

  function noteRepeated(list: RepeatedKeys, columns: KeyColumns, index: number): void {
    list.keys++
    if (list.examples.length < MAX_EXAMPLES) list.examples.push(describeKey(fields, columns, index))
  }

  const getPosition = (match: number): RecordPosition => ({ segment: segments[match]!, row: rows[match]! })

  return {
    repeated,
    getPosition,
    addRecord(columns, index, position) {
      if (!hashKey(columns, index)) return
      const known = table.find(hi[0]!, lo[0]!)
      if (known < 0) addKey(RECORD, position)
      else flags[known]! |= REPEATED_RECORD
    },
    matchRow(columns, index) {
      if (!hashKey(columns, index)) return EMPTY_KEY
      const known = table.find(hi[0]!, lo[0]!)
      if (known < 0) {
        if (addsNew) addKey(MATCHED)
        return NEW_KEY
      }
      const flag = flags[known]!
      if (flag & MATCHED) {
        if (!(flag & REPEATED_ROW)) noteRepeated(repeated.rows, columns, index)
        flags[known] = flag | REPEATED_ROW
      } else {
        if (flag & REPEATED_RECORD) noteRepeated(repeated.records, columns, index)
        flags[known] = flag | MATCHED
      }
      return flag & RECORD ? known : NEW_KEY
    },
    findRecord(hash) {
      const known = table.find(hash.hi, hash.lo)
      if (known < 0 || !(flags[known]! & RECORD)) return undefined
      return { position: getPosition(known), isRepeated: (flags[known]! & REPEATED_RECORD) > 0 }
    },
    hasSameMatches(other, isSameRecord) {
      for (let number = 0; number < table.size; number++) {
        const flag = flags[number]!
        if (!(flag & MATCHED)) continue
        const found = other.findRecord(table.getHash(number))
        const isSame =
          flag & RECORD
            ? found && !found.isRepeated && isSameRecord(getPosition(number), found.position)
            : found === undefined
        if (!isSame) return false
      }
      return true
    },
  }
}

/** Undefined when a field of the key is empty. */
export function formatKey(fields: readonly FieldRules[], columns: KeyColumns, index: number): string | undefined {
  if (fields.length === 1) return formatKeyPart(fields[0]!, columns[0]?.[index])
  let key = ''
  for (const [i, field] of fields.entries()) {
    const part = formatKeyPart(field, columns[i]?.[index])
    if (part === undefined) return undefined
    key += `${part.length}:${part}`
  }
  return key
}

function formatKeyPart(field: FieldRules, cell: unknown): string | undefined {
  const value = toStoredCell(field, cell)
  return value === null ? undefined : valueToText(value)
}

const MAX_EXAMPLE_LENGTH = 60

const describeKey = (fields: readonly FieldRules[], columns: KeyColumns, index: number): string =>
  fields.map((field, i) => formatKeyPart(field, columns[i]?.[index])?.slice(0, MAX_EXAMPLE_LENGTH)).join(', ')
