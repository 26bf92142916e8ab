/** Keeps what was done to one file as a recipe: the rules of its import, and the later changes of all its records. */
import * as operations from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import {
  MAX_COMMITS_PER_RECIPE,
  MAX_MERGES_PER_PROGRAM,
  MAX_RECIPES_PER_ENVIRONMENT,
  MAX_RECORDED_EDIT_BYTES,
} from '../../../schemas/programs/limits.ts'
import type { KeepRecipe } from '../../../schemas/programs/recipe.ts'
import { MAX_RULES_PER_PROGRAM } from '../../../schemas/programs/rules.ts'
import type { Program } from '../../../schemas/programs/shape.ts'
import type { DuplicateSearch, Edit } from '../../../schemas/quality/shape.ts'
import { loadWithPermission } from '../../auth/load-resource.ts'
import { may, type Principal } from '../../auth/principal.ts'
import { parseRecordedChange, type RecordedChange } from '../../commits/recorded-change.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { conflict, missingPermission } from '../../core/errors.ts'
import { JobPlans, type StoredJob } from '../../entities/jobs.ts'
import { insertProgram, Programs } from '../../entities/programs.ts'
import { Recipes } from '../../entities/recipes.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { NewRule } from '../../mapping/edges.ts'
import { planToRules } from '../../mapping/plan-rules.ts'
import { createProgram } from '../../mapping/programs.ts'
import { describeRule } from '../../mapping/recipes/describe.ts'
import { serializeWithSteps } from '../../mapping/recipes/serialize.ts'
import { DERIVED_PREFIX } from '../../mapping/rules/cells.ts'
import { type LaterCommit, listLaterCommits, parseCommitSeq } from '../../records/index.ts'
import type { Tx } from '../../tx.ts'
import { parseConfig } from '../request/config.ts'
import { getJobSheet } from '../request/resources.ts'
import { toSides } from './build-plan.ts'

interface KeptRecipe {
  program: Program
  notKept: string[]
}

export async function keepRecipe(
  caller: Principal,
  job: StoredJob,
  { scope, name, automatic, forGuests }: KeepRecipe,
  tx: Tx,
): Promise<KeptRecipe> {
  if (job.status !== 'completed' || `${job.type}:${job.operation}` !== operations.map.name)
    throw conflict(message('recipes.notImported'))
  if (job.result?.undo) throw conflict(message('recipes.importUndone'))
  const { sourceSheetId, destinationSheetId } = parseConfig(operations.map, job)
  await loadWithPermission('sheet', caller, 'records:read', destinationSheetId)
  const destination = await getJobSheet(job, destinationSheetId)
  assertMayShare(caller, destination, { scope, forGuests })
  const ids = await Recipes.listIds(destination.environmentId)
  if (ids.length >= MAX_RECIPES_PER_ENVIRONMENT)
    throw conflict(message('recipes.tooMany', { limit: MAX_RECIPES_PER_ENVIRONMENT }))

  const plan = await JobPlans.get(job.id)
  const program = await Programs.ofPlan(job.id, plan)
  const sides = program ?? toSides({ source: await getJobSheet(job, sourceSheetId), destination })
  const rules = program?.rules ?? (plan ? planToRules(plan) : [])
  const { changes, others } = await listChanges(destination, job.result?.commitId)
  const allRules = [...rules.map(toPlainRule), ...changes.flatMap(toEditRule)]
  if (allRules.length > MAX_RULES_PER_PROGRAM)
    throw conflict(message('mappings.tooManyRules', { count: allRules.length, limit: MAX_RULES_PER_PROGRAM }))
  const allMerges = listMerges(program?.merges ?? [], changes)
  const merges = allMerges.slice(0, MAX_MERGES_PER_PROGRAM)
  const { accountId, environmentId, spaceId, workbookId, id: sheetId, namespaces } = destination
  const recipe = createProgram(
    {
      ...{ accountId, environmentId, source: sides.source, destination: sides.destination },
      ...(scope === 'space' ? { spaceId, workbookId, sheetId, namespaces } : {}),
      ...(merges.length > 0 ? { merges } : {}),
      recipe: { name, automatic, forGuests, jobId: job.id },
    },
    allRules,
    tx.actor,
    tx.now,
  )
  insertProgram(tx, recipe)
  const notKept = describeNotKept(changes, others)
  if (merges.length < allMerges.length)
    notKept.push(message('recipes.tooManyMerges', { count: allMerges.length, limit: MAX_MERGES_PER_PROGRAM }))
  return { program: serializeWithSteps(recipe), notKept }
}

function assertMayShare(
  caller: Principal,
  { accountId, environmentId, spaceId }: StoredSheet,
  { scope, forGuests }: Pick<KeepRecipe, 'scope' | 'forGuests'>,
): void {
  const location = { accountId, environmentId, ...(scope === 'space' ? { spaceId } : {}) }
  if ((scope === 'environment' || forGuests) && !may(caller, 'mapping:write', location))
    throw missingPermission('mapping:write')
}

/** No confidence, so that the rules of a recipe are not replaced like suggestions. */
const toPlainRule = ({ type, name, config, metadata }: NewRule): NewRule => ({
  ...{ type, name, config },
  ...(metadata === undefined ? {} : { metadata }),
})

interface Changes {
  changes: readonly RecordedChange[]
  others: number
}

async function listChanges(sheet: StoredSheet, commitId: unknown): Promise<Changes> {
  if (typeof commitId !== 'string') return { changes: [], others: 0 }
  const commits = await listLaterCommits(toSheetRef(sheet), commitId, MAX_COMMITS_PER_RECIPE)
  if (!commits) throw conflict(message('recipes.tooManyCommits', { limit: MAX_COMMITS_PER_RECIPE }))
  const remaining = followRestores(commits, parseCommitSeq(sheet.id, commitId)!)
  if (!remaining) throw conflict(message('recipes.importUndone'))
  const changes = remaining.flatMap(({ event }) => parseRecordedChange(event) ?? [])
  const others = remaining.filter(({ event, addsOnly }) => !addsOnly && !parseRecordedChange(event))
  return { changes, others: others.length }
}

/** The commits that the current version includes; undefined if the import is not among them. */
export function followRestores(commits: readonly LaterCommit[], importSeq: number): readonly LaterCommit[] | undefined {
  const versions: { seq: number; included: readonly LaterCommit[] | undefined }[] = []
  let included: readonly LaterCommit[] | undefined = []
  for (const commit of commits) {
    const { seq, restored } = commit
    if (restored === undefined) included = included && [...included, commit]
    else if (restored <= importSeq) included = undefined
    else included = versions.findLast((version) => version.seq < restored)?.included ?? []
    versions.push({ seq, included })
  }
  return included
}

function toEditRule(change: RecordedChange): NewRule[] {
  if (change.type !== 'edit') return []
  const { fieldKey, ...edit } = change.edit as Edit
  const config = { sourceField: `${DERIVED_PREFIX}${fieldKey}`, destinationField: fieldKey, edit }
  const rule: NewRule = { name: fieldKey, type: 'edit', config }
  return [{ ...rule, name: describeRule(rule).slice(0, MAX_NAME_LENGTH) }]
}

const MAX_NAME_LENGTH = 500

function listMerges(before: readonly DuplicateSearch[], changes: readonly RecordedChange[]): DuplicateSearch[] {
  const searches = [
    ...before,
    ...changes.flatMap((change) => (change.type === 'merge' && change.duplicates ? [change.duplicates] : [])),
  ]
  return [...new Map(searches.map((search) => [JSON.stringify(search), search])).values()]
}

function describeNotKept(changes: readonly RecordedChange[], others: number): string[] {
  const texts = changes.flatMap((change) => {
    if (change.type === 'selected-edit') return [message('recipes.selectedEdit', { field: change.fieldKey })]
    if (change.type === 'large-edit')
      return [message('recipes.largeEdit', { field: change.fieldKey, limit: MAX_RECORDED_EDIT_BYTES })]
    return change.type === 'merge' && !change.duplicates ? [message('recipes.plainMerge')] : []
  })
  return others > 0 ? [...texts, message('recipes.otherChanges', { count: others })] : texts
}
