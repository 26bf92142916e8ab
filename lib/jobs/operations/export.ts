/** Performs `sheet:export` and `workbook:export`: records become a file of the space. */
import { decodeTime } from 'ulid'
import * as operations from '../../../schemas/operations.ts'
import { sheetRef } from '../../commits/sheet-ref.ts'
import { derivedId } from '../../core/ids.ts'
import { exportFile } from '../../files/export/index.ts'
import * as records from '../../records/index.ts'
import { exported } from '../offers/export.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const exportSheet: Performer = { operation: operations.exportSheet, perform }
export const exportWorkbook: Performer = { operation: operations.exportWorkbook, perform }

async function perform({ job, actor, op, progress }: Run): Promise<Ending> {
  const { name, options, sheets } = await exported(job, job)
  const totals = await Promise.all(
    sheets.map(({ sheet, query }) => records.list(sheetRef(sheet), { ...query, pageSize: 1, includeLength: true })),
  )
  const total = totals.reduce((sum, page) => sum + (page.total ?? 0), 0)
  let written = 0
  const file = await exportFile({
    fileId: derivedId('file', { time: decodeTime(job.id.slice(job.id.lastIndexOf('_') + 1)), sequence: 0, of: op }),
    spaceId: job.spaceId!,
    actor,
    name,
    sheets,
    options,
    onRows: async (count) => {
      written += count ?? 0
      const fraction = Math.min(0.99, written / Math.max(1, total))
      await progress(count === undefined ? 1 : fraction, `Wrote ${Math.min(written, total)} of ${total} records`)
    },
  })
  const counted = `${total} ${total === 1 ? 'record' : 'records'}`
  return {
    info: `Exported ${counted}`,
    result: { fileId: file.id, records: total },
    outcome: {
      acknowledge: true,
      heading: 'Export finished',
      message: `${counted} in ${file.name}.`,
      next: { type: 'files', files: [{ fileId: file.id, label: file.name }] },
    },
  }
}
