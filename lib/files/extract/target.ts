/** The workbook and sheets a file becomes: named after the job, made once, and only when all rows are read. */
import { decodeTime } from 'ulid'
import { TABLES_PER_FILE } from '../../../schemas/files.ts'
import { FIELDS_PER_SHEET } from '../../../schemas/sheet.ts'
import { CreateWorkbook } from '../../../schemas/workbooks.ts'
import { notFound, unprocessable } from '../../core/errors.ts'
import { derivedId } from '../../core/ids.ts'
import type { StoredFile } from '../../entities/files.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { Spaces, type StoredSpace } from '../../entities/spaces.ts'
import { ConditionFailed } from '../../table/transact.ts'
import { type Actor, begin, type Tx } from '../../tx.ts'
import { createWorkbook, type GivenIds } from '../../workbooks/create.ts'
import { columnNames, fieldsOf } from './columns.ts'
import type { Table } from './source.ts'

export interface Target {
  workbookId: string
  /** One a table; stored, or as they will be. */
  sheets: StoredSheet[]
  /** Stores workbook and sheets and tells of them, unless they are there. */
  create(): Promise<void>
}

/** Names of the columns of all tables together, in bytes: they are stored in one transaction. */
const NAMES_BYTES = 1024 * 1024

/** @throws ApiError when the space is gone, or the file has more tables or columns than become sheets and fields */
export async function targetOf(
  { file, actor, jobId }: { file: StoredFile; actor: Actor; jobId: string },
  tables: readonly Table[],
): Promise<Target> {
  if (tables.length > TABLES_PER_FILE)
    throw unprocessable(`The file has ${tables.length} tables; at most ${TABLES_PER_FILE} become sheets.`)
  for (const { name, width } of tables)
    if (width > FIELDS_PER_SHEET)
      throw unprocessable(
        `${name === undefined ? 'The file' : `Sheet ${name}`} has ${width} columns; a sheet has at most ${FIELDS_PER_SHEET}.`,
      )
  const space = await Spaces.get(file.spaceId)
  if (!space) throw notFound('space', file.spaceId)
  const ids = idsOf(jobId, tables.length)
  const configs = tables.map((table) => sheetConfigOf(file, table, NAMES_BYTES / tables.length))
  const plan = (tx: Tx) => sheetsIn(tx, space, ids, file, configs)
  const planned = plan(begin(actor))
  return {
    workbookId: ids.workbookId,
    sheets: await Promise.all(planned.map(async (sheet) => (await Sheets.get(sheet.id)) ?? sheet)),
    create: async () => {
      if (await Sheets.get(planned[0]!.id)) return
      const tx = begin(actor)
      plan(tx)
      tx.onConflict((error) => error)
      // Another run of the same job came first: what it made is the same.
      await tx.commit().catch((error: unknown) => {
        if (!(error instanceof ConditionFailed)) throw error
      })
    },
  }
}

/** The same for every run of the job. */
export function idsOf(jobId: string, sheets = 1): GivenIds {
  const time = decodeTime(jobId.slice(jobId.lastIndexOf('_') + 1))
  return {
    workbookId: derivedId('workbook', { time, sequence: 0, of: jobId }),
    sheetIds: Array.from({ length: sheets }, (_, sequence) => derivedId('sheet', { time, sequence, of: jobId })),
  }
}

type SheetConfig = NonNullable<CreateWorkbook['sheets']>[number]

/** A sheet's metadata say which row named its columns, as public extractors do, and whether the file hides it. */
function sheetConfigOf(file: StoredFile, { name, header, headerRow, width, hidden }: Table, namesBytes: number) {
  const metadata = { ...(headerRow ? { rowHeaders: [headerRow] } : {}), ...(hidden ? { hidden: true } : {}) }
  return {
    name: name?.trim() || nameOf(file),
    fields: fieldsOf(columnNames(header ?? [], width, namesBytes)),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  } satisfies Partial<SheetConfig>
}

function sheetsIn(
  tx: Tx,
  space: StoredSpace,
  ids: GivenIds,
  file: StoredFile,
  sheets: ReturnType<typeof sheetConfigOf>[],
): StoredSheet[] {
  const config = CreateWorkbook.parse({
    spaceId: space.id,
    name: `[file] ${file.name}`,
    labels: ['file'],
    treatments: ['EXTRACTED_FROM_SOURCE'],
    sheets,
  })
  return createWorkbook(tx, space, config, ids).sheets.map((sheet) => ({ ...sheet, rev: 1 }))
}

/** The file's name without its extension. */
const nameOf = ({ name, ext }: StoredFile): string =>
  (name.toLowerCase().endsWith(`.${ext}`) ? name.slice(0, -ext.length - 1) : name) || name
