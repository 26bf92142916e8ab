/** Performs `workbook:map`: copies a sheet's records into another, as the rules of the plan's program say. */
import type { Plan } from '../../../schemas/mapping.ts'
import type { MappingRule } from '../../../schemas/mapping-rule.ts'
import * as operations from '../../../schemas/operations.ts'
import { sheetRef } from '../../commits/sheet-ref.ts'
import { writeRecords } from '../../commits/write.ts'
import { conflict, unprocessable } from '../../core/errors.ts'
import { JobPlans } from '../../entities/jobs.ts'
import type { StoredProgram } from '../../entities/programs.ts'
import { acceptProgram } from '../../mapping/accept.ts'
import { filledBy, type NewRule, ruleOfEdge } from '../../mapping/edges.ts'
import { beginRecomputing, hasOtherFields } from '../../mapping/programs.ts'
import { recompute } from '../../mapping/recompute.ts'
import { checkRules } from '../../mapping/rules/check.ts'
import { compileRules, type Program } from '../../mapping/rules/compile.ts'
import * as records from '../../records/index.ts'
import { committed } from '../../table/transact.ts'
import { begin } from '../../tx.ts'
import { planFor, sidesOf } from '../map-plan.ts'
import { configOf } from '../offers/config.ts'
import { type MappedSheets, sheetsOf } from '../offers/mapped-sheets.ts'
import { planFollows, programOf } from '../programs.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const map: Performer = { operation: operations.map, perform }

async function perform(run: Run): Promise<Ending> {
  const sheets = await sheetsOf(run.job, run.job)
  const { source, destination } = sheets
  if (destination.lockedAt) throw conflict(`The sheet ${destination.name} is locked: unlock it and try again.`)
  const { rules, programId } = await rulesFor(run, sheets)
  const program = compiled(rules, sheets)
  const { total } = await records.counts(sheetRef(source))
  const writer = writeRecords(destination, run, { op: run.op })
  const { created } = total === 0 ? { created: 0 } : await writer.importRows(carried(run, sheets, program, total))
  const counted = `${created} ${created === 1 ? 'record' : 'records'}`
  return {
    info: `Mapped ${counted}`,
    result: { sheetId: destination.id, records: created, fields: filledBy(rules).size },
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
    // Nobody saw the plan of a job that was ready at once: that teaches nothing.
    ...(programId === undefined || run.job.immediate
      ? {}
      : { alongside: (tx) => acceptProgram(tx, run.job.id, programId) }),
  }
}

interface RulesOfJob {
  rules: readonly NewRule[]
  programId?: string | undefined
}

/** The rules of the plan's program; where that is gone, the plan's arrows. */
async function rulesFor(run: Run, sheets: MappedSheets): Promise<RulesOfJob> {
  const plan = await plannedFor(run, sheets)
  const program = await programOf(run.job, plan)
  if (!program) return { rules: plan.fieldMapping.map(ruleOfEdge) }
  const rules = (await rulesAnew(run, sheets, program)) ?? program.rules
  return { rules, programId: program.id }
}

/** Suggests again where a side's fields are others than those the plan was made for, if the job wants that. */
async function rulesAnew(run: Run, sheets: MappedSheets, program: StoredProgram): Promise<MappingRule[] | undefined> {
  const sides = sidesOf(sheets)
  const pending = program.recomputingAt !== undefined
  if (!configOf(operations.map, run.job).canRecompute || !(pending || hasOtherFields(program, sides))) return undefined
  if (!pending) {
    const tx = begin(run.actor)
    beginRecomputing(tx, program, { ...program, ...sides })
    await tx.commit()
  }
  return (await recompute(run.actor, program.id, planFollows))?.rules
}

/** The plan of the job; one that was ready at once gets it now, so that it stays readable. */
async function plannedFor(run: Run, sheets: MappedSheets): Promise<Plan> {
  const { job } = run
  const before = await JobPlans.get(job.id)
  if (before) return before
  const { plan, alongside } = await planFor(job, job, sheets)
  const tx = begin(run.actor)
  tx.write(JobPlans.create(job.id, plan))
  alongside(tx, job)
  tx.onConflict((error) => error)
  await committed(tx.commit())
  return (await JobPlans.get(job.id)) ?? plan
}

function compiled(rules: readonly NewRule[], sheets: MappedSheets): Program {
  const { source, destination } = sheets
  if (filledBy(rules).size === 0)
    throw unprocessable(`No field of ${source.name} is mapped to a field of ${destination.name}: map at least one.`)
  const sides = { source: source.config.fields, destination: destination.config.fields }
  const checked = checkRules(rules, sides)
  if (checked.problems.length > 0)
    throw unprocessable(
      `The rules do not fit the sheets: ${checked.problems.map(({ key, message }) => `${key} ${message}`).join('; ')}`,
    )
  return compileRules(checked.rules, sides)
}

/** The source's records segment by segment, as columns of the destination. */
async function* carried(
  run: Run,
  { source }: MappedSheets,
  program: Program,
  total: number,
): AsyncGenerator<records.ColumnBatch> {
  let done = 0
  for await (const { ids, columns } of records.scan(sheetRef(source), { fields: program.reads })) {
    yield { length: ids.length, columns: program.carry(columns, ids.length) }
    done += ids.length
    await run.progress(done / total, `Mapped ${done} of ${total} records`)
  }
}
