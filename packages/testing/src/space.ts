import type { Body, Schemas, StreamedRecord, Wharf } from '../../sdk/src/index.ts'

export type Blueprint = Omit<Body<'workbooks.create'>, 'spaceId'>

export interface TestSpace {
  id: string
  workbooks: Schemas['Workbook'][]
  /** @throws Error if the space has none, or several */
  getSheetId(slug: string): string
}

export type ReadRecord = StreamedRecord & Required<Pick<StreamedRecord, 'messages'>>

export async function describeSpace(wharf: Wharf, id: string): Promise<TestSpace> {
  const workbooks = await wharf.workbooks.list({ spaceId: id })
  const sheets = workbooks.flatMap(({ sheets = [] }) => sheets)
  return {
    id,
    workbooks,
    getSheetId(slug) {
      const found = sheets.filter((sheet) => sheet.slug === slug)
      if (found.length === 1) return found[0]!.id
      const slugs = sheets.map((sheet) => sheet.slug).join(', ') || 'none'
      throw new Error(`The space ${id} has ${found.length} sheets with the slug ${slug}. The slugs are: ${slugs}`)
    },
  }
}

export async function readRecords(wharf: Wharf, sheetId: string): Promise<ReadRecord[]> {
  const records: ReadRecord[] = []
  for await (const record of wharf.records.stream(sheetId, { includeMessages: true }))
    records.push({ ...record, messages: record.messages ?? {} })
  return records
}
