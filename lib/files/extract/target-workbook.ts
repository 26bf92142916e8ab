/** Creates the workbook and sheets of a file once all rows are read, with ids derived from the job. */

import { decodeTime } from 'ulid'
import { MAX_TABLES_PER_FILE } from '../../../schemas/files/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../schemas/sheets/shape.ts'
import { CreateWorkbook } from '../../../schemas/workbooks/shape.ts'
import { notFound, unprocessable } from '../../core/errors.ts'
import { deriveId } from '../../core/ids.ts'
import type { StoredFile } from '../../entities/files.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { Spaces, type StoredSpace } from '../../entities/spaces.ts'
import { tryCommit } from '../../table/transact.ts'
import { type Actor, begin, type Tx } from '../../tx.ts'
import { createWorkbook, type PresetIds } from '../../workbooks/create.ts'
import { buildColumnLabels, buildColumnNames, toTextFields } from './columns.ts'
import type { Table } from './source.ts'

export interface Target {
  workbookId: string
  sheets: StoredSheet[]
  create(): Promise<void>
}

const MAX_NAMES_BYTES = 1024 * 1024

/** @throws ApiError when the space is gone, or a limit of tables or columns is exceeded */
export async function planTarget(
  { file, actor, jobId }: { file: StoredFile; actor: Actor; jobId: string },
  tables: readonly Table[],
): Promise<Target> {
  if (tables.length > MAX_TABLES_PER_FILE)
    throw unprocessable(message('files.tooManyTables', { count: MAX_TABLES_PER_FILE }))
  for (const { name, width } of tables) {
    if (width <= MAX_FIELDS_PER_SHEET) continue
    const reason = message('files.tooManyColumns', { count: width, maximum: MAX_FIELDS_PER_SHEET })
    throw unprocessable(name === undefined ? reason : message('files.sheetReason', { sheet: name, reason }))
  }
  const space = await Spaces.get(file.spaceId)
  if (!space) throw notFound('space', file.spaceId)
  const ids = deriveIds(jobId, tables.length)
  const configs = tables.map((table) => buildSheetConfig(file, table, MAX_NAMES_BYTES / tables.length))
  const planSheets = (tx: Tx) => createSheets(tx, space, ids, file, configs)
  const plannedSheets = planSheets(begin(actor))
  return {
    workbookId: ids.workbookId,
    sheets: await Promise.all(plannedSheets.map(async (sheet) => (await Sheets.get(sheet.id)) ?? sheet)),
    create: async () => {
      if (await Sheets.get(plannedSheets[0]!.id)) return
      const tx = begin(actor)
      planSheets(tx)
      // After a conflict, a concurrent run of the same job has stored an identical workbook.
      await tryCommit(tx.commit())
    },
  }
}

export function deriveIds(jobId: string, sheets = 1): PresetIds {
  const time = decodeTime(jobId.slice(jobId.lastIndexOf('_') + 1))
  return {
    workbookId: deriveId('workbook', { time, sequence: 0, of: jobId }),
    sheetIds: Array.from({ length: sheets }, (_, sequence) => deriveId('sheet', { time, sequence, of: jobId })),
  }
}

type SheetConfig = NonNullable<CreateWorkbook['sheets']>[number]

function buildSheetConfig(
  file: StoredFile,
  { name, header, labels, headerRow, headerLines, width, hidden }: Table,
  namesBytes: number,
) {
  const metadata = {
    ...(headerRow ? { rowHeaders: listHeaderRows(headerRow, headerLines) } : {}),
    ...(hidden ? { hidden: true } : {}),
  }
  const names = buildColumnNames(header ?? [], width, namesBytes)
  return {
    name: name?.trim() || getBaseName(file),
    fields: toTextFields(names, buildColumnLabels(labels ?? header ?? [], names, namesBytes)),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  } satisfies Partial<SheetConfig>
}

const listHeaderRows = (last: number, lines: number): number[] =>
  Array.from({ length: lines }, (_, line) => last - lines + 1 + line)

function createSheets(
  tx: Tx,
  space: StoredSpace,
  ids: PresetIds,
  file: StoredFile,
  sheets: ReturnType<typeof buildSheetConfig>[],
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

const getBaseName = ({ name, ext }: StoredFile): string =>
  (name.toLowerCase().endsWith(`.${ext}`) ? name.slice(0, -ext.length - 1) : name) || name
