/** Ids contain the sheet and log position, record ids also segment and row, so that lookups need no index. */
const SHEET = 'us_sh_'
const COMMIT = 'us_vr_'
const RECORD = 'us_rc_'

/** A record's original position: segment key `<seq>.<i>` and row. It survives merges. */
export interface Coordinate {
  key: string
  row: number
}

export function parseSheetKey(sheetId: string): string {
  if (!sheetId.startsWith(SHEET) || sheetId.length === SHEET.length)
    throw new RangeError(`"${sheetId}" is not a sheet id: it must start with ${SHEET}`)
  return sheetId.slice(SHEET.length)
}

export const formatCommitId = (sheetId: string, seq: number): string => `${COMMIT}${parseSheetKey(sheetId)}_${seq}`

export function compareCoordinates(a: Coordinate, b: Coordinate): number {
  if (a.key === b.key) return a.row - b.row
  const [seqA, partA] = a.key.split('.').map(Number)
  const [seqB, partB] = b.key.split('.').map(Number)
  return seqA! - seqB! || partA! - partB!
}

export const formatRecordIdPrefix = (sheetId: string, key: string): string =>
  `${RECORD}${parseSheetKey(sheetId)}_${key.replace('.', '_')}_`

export const formatRecordId = (sheetId: string, at: Coordinate): string =>
  formatRecordIdPrefix(sheetId, at.key) + at.row

export function createRecordIdPrefixer(sheetId: string): (key: string) => string {
  let lastKey: string | undefined
  let prefix = ''
  return (key) => {
    if (key !== lastKey) prefix = formatRecordIdPrefix(sheetId, key)
    lastKey = key
    return prefix
  }
}

export function createRecordIdFormatter(sheetId: string): (at: Coordinate) => string {
  const getPrefix = createRecordIdPrefixer(sheetId)
  return ({ key, row }) => getPrefix(key) + row
}

export function parseCommitSeq(sheetId: string, commitId: string): number | undefined {
  const seq = Number(commitId.slice(commitId.lastIndexOf('_') + 1))
  return Number.isSafeInteger(seq) && seq >= 0 && formatCommitId(sheetId, seq) === commitId ? seq : undefined
}

const RECORD_TAIL = /_(\d+)_(\d+)_(\d+)$/
const MAX_ROW_DIGITS = 9

export function parseRecordId(sheetId: string, recordId: string): Coordinate | undefined {
  const match = RECORD_TAIL.exec(recordId)
  if (!match) return undefined
  const at = { key: `${match[1]}.${match[2]}`, row: Number(match[3]) }
  return formatRecordId(sheetId, at) === recordId ? at : undefined
}

/** For many ids: most have the prefix of the id before, so only their rows are parsed. */
export function createRecordIdParser(sheetId: string): (recordId: string) => Coordinate | undefined {
  let prefix = ''
  let lastKey = ''
  return (recordId) => {
    if (prefix && recordId.startsWith(prefix)) {
      const row = parseRow(recordId, prefix.length)
      if (row !== undefined) return { key: lastKey, row }
    }
    const at = parseRecordId(sheetId, recordId)
    if (!at) return undefined
    lastKey = at.key
    prefix = formatRecordIdPrefix(sheetId, lastKey)
    return at
  }
}

function parseRow(recordId: string, from: number): number | undefined {
  const digits = recordId.length - from
  if (digits < 1 || digits > MAX_ROW_DIGITS || (digits > 1 && recordId[from] === '0')) return undefined
  let row = 0
  for (let i = from; i < recordId.length; i++) {
    const digit = recordId.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return undefined
    row = row * 10 + digit
  }
  return row
}

export function parseSheetId(id: string): string | undefined {
  const tail = id.startsWith(COMMIT) ? /_\d+$/ : id.startsWith(RECORD) ? RECORD_TAIL : undefined
  const match = tail?.exec(id)
  const key = match ? id.slice(COMMIT.length, match.index) : ''
  return key ? SHEET + key : undefined
}
