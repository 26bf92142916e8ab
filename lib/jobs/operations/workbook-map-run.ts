import { message } from '../../../schemas/messages/index.ts'
import type { LineGroup } from '../../../schemas/programs/other-lines.ts'
import type { Plan } from '../../../schemas/programs/plan.ts'
import type { UsedRecipe } from '../../../schemas/programs/recipe.ts'
import type { MappingRule } from '../../../schemas/programs/rules.ts'
import type { DuplicateSearch } from '../../../schemas/quality/shape.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { createRecordWriter } from '../../commits/write.ts'
import { JobPlans } from '../../entities/jobs.ts'
import { Programs, type StoredProgram } from '../../entities/programs.ts'
import { acceptProgram } from '../../mapping/accept.ts'
import { getTargetFields, type NewRule } from '../../mapping/edges.ts'
import { planToRules } from '../../mapping/plan-rules.ts'
import { startRecomputing } from '../../mapping/programs.ts'
import { recomputeProgram } from '../../mapping/recompute.ts'
import type { Program } from '../../mapping/rules/compile.ts'
import * as records from '../../records/index.ts'
import { tryCommit } from '../../table/transact.ts'
import { begin } from '../../tx.ts'
import { buildPlan, toSides } from '../mapping/build-plan.ts'
import { compileProgram } from '../mapping/compile-program.ts'
import {
  describeImport,
  explainImport,
  getImportSettings,
  type ImportResult,
  type ImportSettings,
  importRecords,
} from '../mapping/import-modes.ts'
import { type MappedSheets, resolveMappedSheets } from '../mapping/mapped-sheets.ts'
import { mergeImported } from '../mapping/merge-imported.ts'
import { assertUnchangedSince, type MappingInputs, parseToken } from '../mapping/preview-token.ts'
import { needsRecomputing } from '../mapping/read-rules.ts'
import { describeUse, reportRecipe } from '../mapping/recipes.ts'
import { createLineSkipper, type LineSkipper } from '../mapping/skip-lines.ts'
import { countSourceRecords, scanSource } from '../mapping/source-records.ts'
import { syncPlan } from '../mapping/sync-program.ts'
import type { JobResult, Run } from './operation.ts'
import { assertUnlockedForJob } from './record-changes.ts'

export async function runMapping(run: Run): Promise<JobResult> {
  const sheets = await resolveMappedSheets(run.job, run.job)
  const { source, destination } = sheets
  assertUnlockedForJob(destination)
  const { rules, merges, programId, recipe } = await getRules(run, sheets)
  const { program } = compileProgram(rules, sheets)
  const settings = getImportSettings(run.job, destination)
  const inputs = { job: run.job, rules, merges, sheets }
  const { counts, commitId, isCounted, otherLines } = await writeRecords(run, inputs, program, settings)
  const merged = await mergeImported(run, destination, merges, commitId)
  const used = reportRecipe(recipe, {
    ...{ rules, merges, changedCells: isCounted ? program.changedCells : undefined },
    merged: merged.map(({ deleted: count, problem }) => ({ count, problem })),
  })
  return {
    info: describeImport(settings, counts),
    result: {
      ...{ sheetId: destination.id, records: counts.created + counts.updated, fields: getTargetFields(rules).size },
      ...{ importMode: settings.mode, counts },
      ...(merges.length > 0 ? { merges: merged } : {}),
      ...(used ? { recipe: used } : {}),
      ...(otherLines.length > 0 ? { otherLines } : {}),
      ...(commitId === undefined ? {} : { commitId }),
    },
    outcome: {
      acknowledge: true,
      heading: message('mappings.finished'),
      message: [
        explainImport(settings, counts, { source: source.name, destination: destination.name }),
        ...otherLines.map(({ text }) => text),
        ...describeUse(used),
      ].join(' '),
      next: {
        type: 'id',
        id: destination.workbookId,
        path: 'sheet',
        query: `sheet=${destination.id}`,
        label: message('jobs.open', { name: destination.name }),
      },
    },
    // No one reviewed the plan of a job that started immediately, so it is not learned.
    ...(programId === undefined || run.job.immediate
      ? {}
      : { inTransaction: (tx) => acceptProgram(tx, run.job.id, programId) }),
  }
}

interface JobRules {
  rules: readonly NewRule[]
  merges: readonly DuplicateSearch[]
  recipe: UsedRecipe | undefined
  programId?: string | undefined
}

async function getRules(run: Run, sheets: MappedSheets): Promise<JobRules> {
  const plan = await getOrCreatePlan(run, sheets)
  const program = await Programs.ofPlan(run.job.id, plan)
  const { recipe } = plan
  if (!program) return { rules: planToRules(plan), merges: [], recipe }
  const rules = (await recomputeRules(run, sheets, program)) ?? program.rules
  return { rules, merges: program.merges ?? [], recipe, programId: program.id }
}

async function recomputeRules(
  run: Run,
  sheets: MappedSheets,
  program: StoredProgram,
): Promise<MappingRule[] | undefined> {
  const sides = toSides(sheets)
  const pending = program.recomputingAt !== undefined
  if (!needsRecomputing(run.job, program, sheets)) return undefined
  if (!pending) {
    const tx = begin(run.actor)
    startRecomputing(tx, program, { ...program, ...sides })
    await tx.commit()
  }
  return (await recomputeProgram(run.actor, program.id, syncPlan))?.rules
}

/** A job that started immediately gets its plan here, so that clients can read it. */
async function getOrCreatePlan(run: Run, sheets: MappedSheets): Promise<Plan> {
  const { job } = run
  const existing = await JobPlans.get(job.id)
  if (existing) return existing
  const { plan, inTransaction } = await buildPlan(job, job, sheets)
  const tx = begin(run.actor)
  tx.write(JobPlans.create(job.id, plan))
  inTransaction(tx, job)
  await tryCommit(tx.commit())
  return (await JobPlans.get(job.id)) ?? plan
}

async function writeRecords(
  run: Run,
  inputs: MappingInputs,
  program: Program,
  settings: ImportSettings,
): Promise<ImportResult & { isCounted: boolean; otherLines: LineGroup[] }> {
  const { source, destination } = inputs.sheets
  const previewed = run.job.preview === undefined ? undefined : parseToken(run.job.preview, run.job.id)
  const assertUnchanged =
    previewed &&
    (({ commitId }: records.SheetPosition) => assertUnchangedSince(previewed, inputs, { destination: commitId }))
  const ref = toSheetRef(source)
  const commitId = previewed ? (previewed.source ?? undefined) : await records.readNewestCommitId(ref)
  const total = await countSourceRecords(ref, commitId)
  const writer = createRecordWriter(destination, run, { op: run.op, assertUnchanged })
  const lines = createLineSkipper(program)
  let isCounted = false
  async function* readBatches(): AsyncGenerator<records.ColumnBatch> {
    program.changedCells.clear()
    lines.reset()
    yield* mapRecords(run, scanSource(ref, commitId, program.reads), { program, lines, total })
    isCounted = true
  }
  const imported = await importRecords(writer, settings, program, readBatches, () => run.progress(1))
  return { ...imported, isCounted, otherLines: lines.listGroups() }
}

async function* mapRecords(
  run: Run,
  batches: AsyncIterable<records.JsonBatch>,
  { program, lines, total }: { program: Program; lines: LineSkipper; total: number },
): AsyncGenerator<records.ColumnBatch> {
  let mappedCount = 0
  for await (const batch of batches) {
    const rows = lines.skip(batch)
    yield { length: rows.length, columns: program.mapColumns(rows.columns, rows.length) }
    mappedCount += batch.length
    await run.progress(mappedCount / total, message('mappings.progress', { done: mappedCount, count: total }))
  }
}
