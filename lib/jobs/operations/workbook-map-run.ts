import { message } from '../../../schemas/messages/index.ts'
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
import * as records from '../../records/index.ts'
import { tryCommit } from '../../table/transact.ts'
import { begin } from '../../tx.ts'
import { buildPlan, toSides } from '../mapping/build-plan.ts'
import { type CompiledProgram, compileProgram } from '../mapping/compile-program.ts'
import {
  describeImport,
  explainImport,
  getImportSettings,
  type ImportResult,
  type ImportSettings,
  importRecords,
} from '../mapping/import-modes.ts'
import { type MappedRecords, mapRecords } from '../mapping/map-records.ts'
import { type MappedSheets, resolveMappedSheets } from '../mapping/mapped-sheets.ts'
import { mergeImported } from '../mapping/merge-imported.ts'
import { assertUnchangedSince, type MappingInputs, parseToken } from '../mapping/preview-token.ts'
import { needsRecomputing } from '../mapping/read-rules.ts'
import { describeUse, reportRecipe } from '../mapping/recipes.ts'
import { syncPlan } from '../mapping/sync-program.ts'
import { runParts } from '../parts/run-parts.ts'
import type { JobResult, Run } from './operation.ts'
import { assertUnlockedForJob } from './record-changes.ts'

export async function runMapping(run: Run): Promise<JobResult> {
  const sheets = await resolveMappedSheets(run.job, run.job)
  const { source, destination } = sheets
  assertUnlockedForJob(destination)
  const { rules, merges, programId, recipe } = await getRules(run, sheets)
  const compiled = compileProgram(rules, sheets)
  const settings = getImportSettings(run.job, destination)
  const inputs = { job: run.job, rules, merges, sheets }
  const { counts, commitId, changedCells, otherLines } = await writeRecords(run, inputs, compiled, settings)
  const merged = await mergeImported(run, destination, merges, commitId)
  const used = reportRecipe(recipe, {
    ...{ rules, merges, changedCells },
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
  { program, rules }: CompiledProgram,
  settings: ImportSettings,
): Promise<ImportResult & ReturnType<MappedRecords['summarize']>> {
  const { source, destination } = inputs.sheets
  const previewed = run.job.preview === undefined ? undefined : parseToken(run.job.preview, run.job.id)
  const assertUnchanged =
    previewed &&
    (({ commitId }: records.SheetPosition) => assertUnchangedSince(previewed, inputs, { destination: commitId }))
  const commitId = previewed ? (previewed.source ?? undefined) : await records.readNewestCommitId(toSheetRef(source))
  const writer = createRecordWriter(destination, run, { op: run.op, assertUnchanged })
  const mapped = await mapRecords({
    ...{ rules, reads: program.reads, sheets: inputs.sheets, commitId },
    progress: run.progress,
    storeParts: runParts((map) => ({ map })),
  })
  const imported = await importRecords(writer, settings, program, mapped, () => run.progress(1))
  return { ...imported, ...mapped.summarize() }
}
