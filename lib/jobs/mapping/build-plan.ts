import { importOptions } from '../../../schemas/jobs/import-modes.ts'
import * as operations from '../../../schemas/jobs/operations.ts'
import { LeaveOut } from '../../../schemas/programs/other-lines.ts'
import type { Plan } from '../../../schemas/programs/plan.ts'
import { newId } from '../../core/ids.ts'
import type { NewJob } from '../../entities/jobs.ts'
import { insertProgram, type NewProgram } from '../../entities/programs.ts'
import { applyRulesToPlan, LEAVE_OUT, type NewRule, setLeaveOut } from '../../mapping/edges.ts'
import { assertRules, createProgram, sheetToSide } from '../../mapping/programs.ts'
import { suggestBetween } from '../../mapping/suggestions.ts'
import type { Tx } from '../../tx.ts'
import { type JobRequest, parseConfig, parseOptions } from '../request/config.ts'
import type { JobLocation } from '../request/resources.ts'
import type { MappedSheets } from './mapped-sheets.ts'
import { fitRequestedRecipe } from './recipes.ts'
import { describeUnmapped, getProgram } from './sync-program.ts'

export interface PlanDraft {
  plan: Plan
  info: string
  inTransaction(tx: Tx, job: NewJob): void
}

export const toSides = ({ source, destination }: MappedSheets) => ({
  source: sheetToSide(source),
  destination: sheetToSide(destination),
})

export async function getRequestedRules(
  job: JobRequest,
  location: JobLocation,
  sheets: MappedSheets,
): Promise<NewRule[] | undefined> {
  const { mappingRules, programId } = parseConfig(operations.map, job)
  if (mappingRules) {
    await assertRules(mappingRules, toSides(sheets), 'config.mappingRules')
    return mappingRules.map(toRule)
  }
  if (programId === undefined) return undefined
  const { rules } = await getProgram(location, programId)
  await assertRules(rules, toSides(sheets), 'config.programId')
  return rules.map(toRule)
}

function toRule(input: object): NewRule {
  const { type, name, config, metadata, ...inlineConfig } = input as NewRule & Record<string, unknown>
  return { type, name: name ?? type, config: config ?? inlineConfig, ...(metadata === undefined ? {} : { metadata }) }
}

/** Without a confidence, so that the choice is not replaced by a suggestion. */
const fixLeaveOut = (rules: readonly NewRule[], leaveOut: boolean): NewRule[] =>
  setLeaveOut(rules, leaveOut).map(({ confidence, ...rule }) =>
    rule.type === LEAVE_OUT || confidence === undefined ? rule : { ...rule, confidence },
  )

async function findRequestedLines(rules: readonly NewRule[], { source }: MappedSheets): Promise<Plan['otherLines']> {
  const rule = rules.find(({ type }) => type === LEAVE_OUT)
  if (!rule) return undefined
  const { findOtherLines } = await import('../../mapping/other-lines/find.ts')
  return findOtherLines(source, LeaveOut.parse(rule.config))
}

export async function buildPlan(job: JobRequest, location: JobLocation, sheets: MappedSheets): Promise<PlanDraft> {
  const recipe = await fitRequestedRecipe(job, location, sheets)
  const requestedRules = recipe?.rules ?? (await getRequestedRules(job, location, sheets))
  const sides = toSides(sheets)
  const { accountId, environmentId, spaceId } = sheets.destination
  const request = { accountId, environmentId, spaceId, ...sides, sourceSheet: sheets.source }
  const needsSuggestions =
    requestedRules === undefined || recipe !== undefined || parseConfig(operations.map, job).canRecompute === true
  const { rules: suggestedRules, plan } = await suggestBetween(request, requestedRules ?? [])
  const chosenRules = [...(needsSuggestions ? suggestedRules : []), ...(requestedRules ?? [])]
  const { otherLines } = parseOptions(job, importOptions).options
  const rules = otherLines === undefined ? chosenRules : fixLeaveOut(chosenRules, otherLines === 'leave-out')
  const programId = newId('program')
  const fields = { source: sides.source.fields, destination: sides.destination.fields }
  const programFields = {
    ...{ id: programId, accountId, environmentId, spaceId, ...sides },
    ...{ workbookId: sheets.destination.workbookId, sheetId: sheets.destination.id, sourceSheetId: sheets.source.id },
    namespaces: sheets.destination.namespaces,
    ...(recipe && recipe.merges.length > 0 ? { merges: recipe.merges } : {}),
  }
  const buildProgram = (tx: Tx, jobId: string): NewProgram =>
    createProgram({ ...programFields, jobId }, rules, tx.actor, tx.now)
  const known = {
    ...plan,
    otherLines: plan.otherLines ?? (await findRequestedLines(rules, sheets)),
    fieldMapping: [...plan.fieldMapping, ...(recipe?.questions ?? [])],
  }
  const storedPlan: Plan = { ...applyRulesToPlan(known, rules, fields), programId, recipe: recipe?.used }
  return {
    plan: storedPlan,
    info: describeUnmapped(rules, sides.destination.fields),
    inTransaction: (tx: Tx, { id }: NewJob) => insertProgram(tx, buildProgram(tx, id)),
  }
}
