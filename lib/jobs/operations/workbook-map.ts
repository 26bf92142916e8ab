/** Performs `workbook:map`: copies a sheet's records into another, field by field as the plan says. */
import type { Edge, Plan } from '../../../schemas/mapping.ts'
import * as operations from '../../../schemas/operations.ts'
import { sheetRef } from '../../commits/sheet-ref.ts'
import { writeRecords } from '../../commits/write.ts'
import { conflict, unprocessable } from '../../core/errors.ts'
import { JobPlans, type NewJob } from '../../entities/jobs.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { carrier } from '../../mapping/apply.ts'
import * as records from '../../records/index.ts'
import { ConditionFailed, transact } from '../../table/transact.ts'
import { type MappedSheets, planFor, sheetsOf } from '../offers/workbook-map.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const map: Performer = { operation: operations.map, perform }

async function perform(run: Run): Promise<Ending> {
  const sheets = await sheetsOf(run.job, run.job)
  const { source, destination } = sheets
  if (destination.lockedAt) throw conflict(`The sheet ${destination.name} is locked: unlock it and try again.`)
  const { fieldMapping } = await plannedFor(run.job, sheets)
  checkFields(fieldMapping, sheets)
  const { total } = await records.counts(sheetRef(source))
  const writer = writeRecords(destination, run, { op: run.op })
  const { created } = total === 0 ? { created: 0 } : await writer.importRows(carried(run, source, fieldMapping, total))
  const counted = `${created} ${created === 1 ? 'record' : 'records'}`
  return {
    info: `Mapped ${counted}`,
    result: { sheetId: destination.id, records: created, fields: fieldMapping.length },
    outcome: {
      acknowledge: true,
      heading: 'Data mapped',
      message: `${counted} from ${source.name} now in ${destination.name}.`,
      next: {
        type: 'id',
        id: destination.workbookId,
        path: 'sheet',
        query: `sheet=${destination.id}`,
        label: `Open ${destination.name}`,
      },
    },
  }
}

/** The plan of the job; one that was ready at once gets it now, so that it stays readable. */
async function plannedFor(job: NewJob, sheets: MappedSheets): Promise<Plan> {
  const before = await JobPlans.get(job.id)
  if (before) return before
  const plan = await planFor(sheets)
  try {
    await transact([JobPlans.create(job.id, plan)])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  return (await JobPlans.get(job.id)) ?? plan
}

function checkFields(edges: readonly Edge[], { source, destination }: MappedSheets): void {
  if (edges.length === 0)
    throw unprocessable(`No field of ${source.name} is mapped to a field of ${destination.name}: map at least one.`)
  for (const { sourceField, destinationField } of edges) {
    assertField(source, sourceField.key)
    assertField(destination, destinationField.key)
  }
}

function assertField({ name, config }: StoredSheet, key: string): void {
  if (config.fields.some((field) => field.key === key)) return
  throw unprocessable(`The plan names the field ${key}, which ${name} does not have.`)
}

/** The source's records page by page, as columns of the destination. */
async function* carried(
  run: Run,
  source: StoredSheet,
  edges: readonly Edge[],
  total: number,
): AsyncGenerator<records.ColumnBatch> {
  const carry = carrier(edges)
  const fields = [...new Set(edges.map(({ sourceField }) => sourceField.key))]
  let done = 0
  for await (const { ids, columns } of records.scan(sheetRef(source), { fields })) {
    yield { length: ids.length, columns: carry(columns) }
    done += ids.length
    await run.progress(done / total, `Mapped ${done} of ${total} records`)
  }
}
