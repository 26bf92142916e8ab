/** Matches rows to records by one or several fields, compared as typed values. Takes at most 56 bytes per key. */
import { hashBytesInto, hashInto } from '../columns/hash.ts'
import { type JsonColumn, locateRows, readValues } from '../columns/json-column.ts'
import { createKeyTable, resize } from '../columns/key-table.ts'
import { type FieldRules, toStoredCell } from '../fields/rules.ts'
import { isTyped, valueToText } from '../fields/values.ts'

export const EMPTY_KEY = -1
export const NEW_KEY = -2

export interface RepeatedKeys {
  keys: number
  examples: string[]
}

export interface KeyReader {
  /** Returns false when a field of the key is empty. */
  hash(row: number, hi: Uint32Array, lo: Uint32Array): boolean
  describe(row: number): string
}

export interface RecordPosition {
  segment: number
  row: number
}

type IsSameRecord = (before: RecordPosition, after: RecordPosition) => boolean

export interface KeyMatcher {
  addRecord(keys: KeyReader, row: number, position: RecordPosition): void
  matchRow(keys: KeyReader, row: number): number
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
export function createKeyMatcher(addsNew: boolean, expected = 0): KeyMatcher {
  const table = createKeyTable(expected)
  let segments = new Uint32Array(expected)
  let rows = new Uint32Array(expected)
  let flags = new Uint32Array(expected)
  const repeated = { rows: { keys: 0, examples: [] }, records: { keys: 0, examples: [] } }
  const hi = new Uint32Array(1)
  const lo = new Uint32Array(1)

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

  function noteRepeated(list: RepeatedKeys, keys: KeyReader, row: number): void {
    list.keys++
    if (list.examples.length < MAX_EXAMPLES) list.examples.push(keys.describe(row))
  }

  const getPosition = (match: number): RecordPosition => ({ segment: segments[match]!, row: rows[match]! })

  return {
    repeated,
    getPosition,
    addRecord(keys, row, position) {
      if (!keys.hash(row, hi, lo)) return
      const known = table.find(hi[0]!, lo[0]!)
      if (known < 0) addKey(RECORD, position)
      else flags[known]! |= REPEATED_RECORD
    },
    matchRow(keys, row) {
      if (!keys.hash(row, hi, lo)) return EMPTY_KEY
      const known = table.find(hi[0]!, lo[0]!)
      if (known < 0) {
        if (addsNew) addKey(MATCHED)
        return NEW_KEY
      }
      const flag = flags[known]!
      if (flag & MATCHED) {
        if (!(flag & REPEATED_ROW)) noteRepeated(repeated.rows, keys, row)
        flags[known] = flag | REPEATED_ROW
      } else {
        if (flag & REPEATED_RECORD) noteRepeated(repeated.records, keys, row)
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

export function createKeyReader(fields: readonly FieldRules[], columns: readonly JsonColumn[]): KeyReader {
  const formatPart = (at: number, row: number): string | undefined => {
    const value = toStoredCell(fields[at]!, readValues(columns[at]!)[row])
    return value === null ? undefined : valueToText(value)
  }
  function format(row: number): string | undefined {
    if (fields.length === 1) return formatPart(0, row)
    let key = ''
    for (let at = 0; at < fields.length; at++) {
      const part = formatPart(at, row)
      if (part === undefined) return undefined
      key += `${part.length}:${part}`
    }
    return key
  }
  const hashBytes = fields.length === 1 ? createBytesHash(fields[0]!, columns[0]!) : undefined
  return {
    hash(row, hi, lo) {
      if (hashBytes?.(row, hi, lo)) return true
      const key = format(row)
      if (key !== undefined) hashInto(key, hi, lo, 0)
      return key !== undefined
    },
    describe: (row) => fields.map((_, at) => formatPart(at, row)?.slice(0, MAX_EXAMPLE_LENGTH)).join(', '),
  }
}

const QUOTE = 34

/** Hashes texts that have the same bytes in JSON; returns false for other cells. Texts of typed fields can be values. */
function createBytesHash({ type }: FieldRules, column: JsonColumn): KeyReader['hash'] | undefined {
  if (isTyped(type)) return undefined
  const { raw } = column
  const { starts } = locateRows(column)
  return (row, hi, lo) => {
    const start = starts[row]!
    return raw[start] === QUOTE && raw[start + 1] !== QUOTE && hashBytesInto(raw, start + 1, QUOTE, hi, lo, 0) >= 0
  }
}

const MAX_EXAMPLE_LENGTH = 60
