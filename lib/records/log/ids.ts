/**
 * Ids that say where their thing is: a commit id holds its sheet and its place in the log, a record id also its segment
 * and row. Nothing needs an index to be found by id. Knows no storage.
 */
const SHEET = 'us_sh_'
const COMMIT = 'us_vr_'
const RECORD = 'us_rc_'

/** A record's place when it was created: segment key `<seq>.<i>` and row. Stays its name through merges. */
export interface Coordinate {
  key: string
  row: number
}

/** @throws RangeError when the id is not a sheet id. */
export function sheetKeyOf(sheetId: string): string {
  if (!sheetId.startsWith(SHEET) || sheetId.length === SHEET.length)
    throw new RangeError(`"${sheetId}" is not a sheet id: it must start with ${SHEET}`)
  return sheetId.slice(SHEET.length)
}

export const commitIdOf = (sheetId: string, seq: number): string => `${COMMIT}${sheetKeyOf(sheetId)}_${seq}`

/** The order in which records were added: that of the sheet. */
export function compareCoordinates(a: Coordinate, b: Coordinate): number {
  if (a.key === b.key) return a.row - b.row
  const [seqA, partA] = a.key.split('.').map(Number)
  const [seqB, partB] = b.key.split('.').map(Number)
  return seqA! - seqB! || partA! - partB!
}

/** The part of a record id before the row, for a segment key `<seq>.<i>`. */
export const recordIdPrefix = (sheetId: string, key: string): string =>
  `${RECORD}${sheetKeyOf(sheetId)}_${key.replace('.', '_')}_`

export const recordIdOf = (sheetId: string, at: Coordinate): string => recordIdPrefix(sheetId, at.key) + at.row

/** The log position a commit id names, or undefined when it is no commit id of this sheet. */
export function seqOfCommit(sheetId: string, commitId: string): number | undefined {
  const seq = Number(commitId.slice(commitId.lastIndexOf('_') + 1))
  return Number.isSafeInteger(seq) && seq >= 0 && commitIdOf(sheetId, seq) === commitId ? seq : undefined
}

const RECORD_TAIL = /_(\d+)_(\d+)_(\d+)$/

/** Where the record was created, or undefined when the id is no record id of this sheet. */
export function coordinateOf(sheetId: string, recordId: string): Coordinate | undefined {
  const match = RECORD_TAIL.exec(recordId)
  if (!match) return undefined
  const at = { key: `${match[1]}.${match[2]}`, row: Number(match[3]) }
  return recordIdOf(sheetId, at) === recordId ? at : undefined
}

/** The sheet a commit or record id belongs to; undefined for an id of another form. */
export function sheetIdOf(id: string): string | undefined {
  const tail = id.startsWith(COMMIT) ? /_\d+$/ : id.startsWith(RECORD) ? RECORD_TAIL : undefined
  const match = tail?.exec(id)
  const key = match ? id.slice(COMMIT.length, match.index) : ''
  return key ? SHEET + key : undefined
}
