import { recipeOptions } from '../../../schemas/jobs/import-modes.ts'
import * as operations from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { UsedRecipe, UsedStep } from '../../../schemas/programs/recipe.ts'
import type { DuplicateSearch } from '../../../schemas/quality/shape.ts'
import type { Principal } from '../../auth/principal.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { invalidField, notFound } from '../../core/errors.ts'
import { Programs, type StoredProgram } from '../../entities/programs.ts'
import { getSourceFields, type NewRule } from '../../mapping/edges.ts'
import { canUseRecipe, findAutomaticRecipe } from '../../mapping/recipes/choose.ts'
import { describeMerge, describeRule } from '../../mapping/recipes/describe.ts'
import { type FittedRecipe, fitRecipe } from '../../mapping/recipes/fit.ts'
import { DERIVED_PREFIX } from '../../mapping/rules/cells.ts'
import { listDistinctValuesByField } from '../../records/index.ts'
import { type JobRequest, parseConfig, parseOptions } from '../request/config.ts'
import type { JobLocation } from '../request/resources.ts'
import type { MappedSheets } from './mapped-sheets.ts'
import { getProgram } from './sync-program.ts'

const getRequestedId = (job: JobRequest): string | undefined => parseOptions(job, recipeOptions).options.recipeId

/** @throws ApiError invalid for options that contradict each other, 404 for a recipe the caller may not use */
export async function validateRecipe(caller: Principal, job: JobRequest, { destination }: MappedSheets): Promise<void> {
  const { place, options } = parseOptions(job, recipeOptions)
  const { recipeId } = options
  if (recipeId === undefined) return
  const { mappingRules, programId } = parseConfig(operations.map, job)
  if (mappingRules ?? programId) throw invalidField(`${place}.recipeId`, message('recipes.onlyOneSource'))
  const program = await Programs.get(recipeId)
  if (!program || !canUseRecipe(caller, program, destination)) throw notFound('program', recipeId)
}

export async function chooseRecipe(
  caller: Principal,
  job: JobRequest,
  sheets: MappedSheets,
): Promise<string | undefined> {
  const { recipeId, recipe } = parseOptions(job, recipeOptions).options
  const { mappingRules, programId } = parseConfig(operations.map, job)
  if (recipe === false || (recipeId ?? mappingRules ?? programId) !== undefined) return undefined
  return (await findAutomaticRecipe(caller, sheets))?.id
}

async function loadRecipe(job: JobRequest, location: JobLocation): Promise<StoredProgram | undefined> {
  const recipeId = getRequestedId(job)
  if (recipeId !== undefined) {
    const program = await getProgram(location, recipeId)
    if (!program.recipe) throw notFound('program', recipeId)
    return program
  }
  return job.automaticRecipeId === undefined ? undefined : Programs.get(job.automaticRecipeId)
}

export async function fitRequestedRecipe(
  job: JobRequest,
  location: JobLocation,
  { source, destination }: MappedSheets,
): Promise<FittedRecipe | undefined> {
  const recipe = await loadRecipe(job, location)
  if (!recipe) return undefined
  const known = new Set(source.config.fields.map(({ key }) => key))
  const fields = [...getSourceFields(recipe.rules)].filter((key) => known.has(key))
  const values = fields.length > 0 ? await listDistinctValuesByField(toSheetRef(source), { fields }) : new Map()
  const columns = new Map([...values].map(([key, list]) => [key, list.map(({ value }: { value: unknown }) => value)]))
  return fitRecipe(
    recipe,
    { source: source.config.fields, destination: destination.config.fields },
    { columns, thisYear: new Date().getUTCFullYear() },
  )
}

export interface StepResults {
  rules: readonly NewRule[]
  merges: readonly DuplicateSearch[]
  /** Cells that a rule changed, by its position; undefined if they were not counted. */
  changedCells: ReadonlyMap<number, number> | undefined
  merged?: readonly { count: number; problem?: string | undefined }[]
}

export function reportRecipe(used: UsedRecipe | undefined, results: StepResults): UsedRecipe | undefined {
  if (!used) return undefined
  const ruleTexts = results.rules.map(describeRule)
  const mergeTexts = results.merges.map(describeMerge)
  const report = (step: UsedStep): UsedStep => {
    if (step.status !== 'applied') return step
    const merge = mergeTexts.indexOf(step.text)
    if (merge >= 0) return reportMerge(step, results.merged?.[merge])
    const at = ruleTexts.indexOf(step.text)
    if (at < 0) return { ...step, status: 'removed' }
    if (!results.changedCells || !changesOwnField(results.rules[at]!)) return step
    const count = results.changedCells.get(at) ?? 0
    return { ...step, status: count > 0 ? 'applied' : 'nothing-to-do', count }
  }
  return { ...used, steps: used.steps.map(report) }
}

const changesOwnField = ({ config }: NewRule): boolean => {
  const { sourceField, destinationField } = (config ?? {}) as { sourceField?: string; destinationField?: string }
  return sourceField === `${DERIVED_PREFIX}${destinationField}`
}

function reportMerge(step: UsedStep, merged: { count: number; problem?: string | undefined } | undefined): UsedStep {
  if (!merged) return step
  const { count, problem } = merged
  if (problem !== undefined) return { ...step, status: 'does-not-fit', problem }
  return { ...step, status: count > 0 ? 'applied' : 'nothing-to-do', count }
}

export function describeUse(used: UsedRecipe | undefined): string[] {
  if (!used) return []
  const { name, steps } = used
  const applied = steps.filter(({ status }) => status === 'applied').length
  const left = steps.flatMap(({ text, problem }) =>
    problem === undefined ? [] : [message('recipes.stepDoesNotFit', { step: text, problem })],
  )
  return [message('recipes.used', { name, applied, count: steps.length }), ...left]
}
