/** The workbook and sheet a file becomes: named after the job, made once, and only when all rows are read. */
import { decodeTime } from 'ulid'
import { FIELDS_PER_SHEET } from '../../../schemas/sheets.ts'
import { CreateWorkbook } from '../../../schemas/workbooks.ts'
import { notFound, unprocessable } from '../../core/errors.ts'
import { derivedId } from '../../core/ids.ts'
import type { StoredFile } from '../../entities/files.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { Spaces, type StoredSpace } from '../../entities/spaces.ts'
import { ConditionFailed } from '../../table/transact.ts'
import { type Actor, begin, type Tx } from '../../tx.ts'
import { createWorkbook, type GivenIds } from '../../workbooks/create.ts'
import type { Layout } from '../sniff.ts'
import { columnNames, fieldsOf } from './columns.ts'

export interface Target {
  workbookId: string
  /** Stored, or as it will be. */
  sheet: StoredSheet
  /** Stores workbook and sheet and tells of them, unless they are there. */
  create(): Promise<void>
}

/** @throws ApiError when the space is gone, or the file has more columns than a sheet has fields */
export async function targetOf(
  { file, actor, jobId }: { file: StoredFile; actor: Actor; jobId: string },
  layout: Layout,
  width: number,
): Promise<Target> {
  if (width > FIELDS_PER_SHEET)
    throw unprocessable(`The file has ${width} columns; a sheet has at most ${FIELDS_PER_SHEET}.`)
  const space = await Spaces.get(file.spaceId)
  if (!space) throw notFound('space', file.spaceId)
  const ids = idsOf(jobId)
  const fields = fieldsOf(columnNames(layout.header ?? [], width))
  const plan = (tx: Tx) => sheetIn(tx, space, ids, file, { fields, headerRow: layout.headerRow })
  const planned = plan(begin(actor))
  return {
    workbookId: ids.workbookId,
    sheet: (await Sheets.get(planned.id)) ?? planned,
    create: async () => {
      if (await Sheets.get(planned.id)) return
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
export function idsOf(jobId: string): GivenIds {
  const time = decodeTime(jobId.slice(jobId.lastIndexOf('_') + 1))
  return {
    workbookId: derivedId('workbook', { time, sequence: 0, of: jobId }),
    sheetIds: [derivedId('sheet', { time, sequence: 0, of: jobId })],
  }
}

function sheetIn(
  tx: Tx,
  space: StoredSpace,
  ids: GivenIds,
  file: StoredFile,
  { fields, headerRow }: { fields: ReturnType<typeof fieldsOf>; headerRow: number },
): StoredSheet {
  const config = CreateWorkbook.parse({
    spaceId: space.id,
    name: `[file] ${file.name}`,
    labels: ['file'],
    treatments: ['EXTRACTED_FROM_SOURCE'],
    sheets: [{ name: sheetName(file), fields, ...(headerRow ? { metadata: { rowHeaders: [headerRow] } } : {}) }],
  })
  const { sheets } = createWorkbook(tx, space, config, ids)
  return { ...sheets[0]!, rev: 1 }
}

/** The file's name without its extension. */
const sheetName = ({ name, ext }: StoredFile): string =>
  (name.toLowerCase().endsWith(`.${ext}`) ? name.slice(0, -ext.length - 1) : name) || name
