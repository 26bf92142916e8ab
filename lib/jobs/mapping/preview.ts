import {
  type ColumnPreview,
  MAX_PREVIEWED_RECORDS,
  type MappingPreview,
  PREVIEW_SECONDS,
} from '../../../schemas/jobs/preview.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { Plan } from '../../../schemas/programs/plan.ts'
import type { Rule } from '../../../schemas/programs/rules.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import type { NewJob } from '../../entities/jobs.ts'
import { createColumnCounter } from '../../mapping/column-counts.ts'
import { type ColumnBatch, unpackBatch } from '../../records/index.ts'
import { compileProgram } from './compile-program.ts'
import { getImportSettings, previewImport } from './import-modes.ts'
import type { MappedSheets } from './mapped-sheets.ts'
import { describeState, encodeToken, readPositions } from './preview-token.ts'
import { readRules } from './read-rules.ts'
import { reportRecipe } from './recipes.ts'
import { createOtherLineList, skipOtherLines } from './skip-lines.ts'
import { countSourceRecords, scanSource } from './source-records.ts'

export async function previewMapping(
  job: NewJob,
  sheets: MappedSheets,
  { seconds = PREVIEW_SECONDS }: { seconds?: number } = {},
): Promise<MappingPreview> {
  const deadline = Date.now() + seconds * 1000
  const { plan, rules, merges } = await readRules(job, sheets)
  const compiled = compileProgram(rules, sheets)
  const [source, destination] = [toSheetRef(sheets.source), toSheetRef(sheets.destination)]
  const positions = await readPositions(sheets)
  const recordCount = await countSourceRecords(source, positions.source)
  const counter = createColumnCounter(compiled.rules, destination)
  const lines = createOtherLineList()
  let countedRecords = 0
  async function* mapRecords(): AsyncGenerator<ColumnBatch> {
    for await (const batch of scanSource(source, positions.source, compiled.program.reads)) {
      const { records, otherLines } = skipOtherLines(compiled.program, await unpackBatch(batch))
      lines.addBatch(otherLines, batch.length)
      const { length } = records
      const columns = compiled.program.mapColumns(records.columns, length)
      counter.add(records.columns, columns, length)
      countedRecords += batch.length
      yield { length, columns }
      if (Date.now() >= deadline) return
    }
  }
  const settings = getImportSettings(job, sheets.destination)
  const written = await previewImport(destination, settings, compiled.program, mapRecords, MAX_PREVIEWED_RECORDS)
  const { commitId } = written
  const isComplete = countedRecords === recordCount
  return {
    token: encodeToken(describeState({ job, rules, merges, sheets }, { ...positions, destination: commitId })),
    source: { sheetId: source.sheetId, commitId: positions.source },
    destination: { sheetId: destination.sheetId, commitId },
    columns: addReadings(counter.columns, compiled.rules, plan),
    records: written.records.map(({ values, valid }) => ({ values, valid })),
    counts: written.counts,
    ...{ recordCount, countedRecords, isComplete },
    otherLines: lines.listGroups(),
    recipe: reportRecipe(plan.recipe, { rules, merges, changedCells: compiled.program.changedCells }),
    ...(isComplete
      ? {}
      : { info: message('mappings.previewIncomplete', { count: recordCount, done: countedRecords, seconds }) }),
  }
}

function addReadings(columns: readonly ColumnPreview[], rules: readonly Rule[], plan: Plan): ColumnPreview[] {
  const questions = new Map(
    plan.fieldMapping.map(({ destinationField, metadata }) => [destinationField.key, metadata?.question]),
  )
  const readings = new Map(
    rules.flatMap((rule) =>
      rule.type === 'read' ? [[rule.config.destinationField, rule.config.reading] as const] : [],
    ),
  )
  return columns.map((column) => ({
    ...column,
    reading: readings.get(column.destinationField),
    question: questions.get(column.destinationField),
  }))
}
