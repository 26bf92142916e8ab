import { MAX_ENTRIES_PER_ARCHIVE } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { Entry } from '../zip/archive.ts'
import { RECORDS, readPart, readText } from './records.ts'

export interface DeclaredWorkbook {
  sheets: { name: string; hidden: boolean; id: string }[]
  is1904: boolean
}

export async function readDeclaredWorkbook(entry: Entry): Promise<DeclaredWorkbook> {
  const workbook: DeclaredWorkbook = { sheets: [], is1904: false }
  await readPart(entry, (type, body) => {
    if (type === RECORDS.workbookProperties) workbook.is1904 = (body.readUInt32LE(0) & 1) !== 0
    if (type !== RECORDS.sheet) return
    const { text: id, end } = readText(body, 8)
    workbook.sheets.push({ name: readText(body, end).text, hidden: body.readUInt32LE(0) !== 0, id })
    if (workbook.sheets.length > MAX_ENTRIES_PER_ARCHIVE)
      throw unprocessable(message('files.tooManySheets', { count: MAX_ENTRIES_PER_ARCHIVE }))
  })
  return workbook
}
