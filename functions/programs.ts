/** Mapping programs and their rules over HTTP. Changing either updates the plan of the program's job. */

import { loadScope } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { invalid, invalidField, notFound } from '../lib/core/errors.ts'
import { MappingMemories } from '../lib/entities/mapping-memories.ts'
import {
  insertProgram,
  type NewProgram,
  type ProgramSide,
  Programs,
  type StoredProgram,
  serializeProgram,
} from '../lib/entities/programs.ts'
import type { StoredSheet } from '../lib/entities/sheets.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { syncPlan } from '../lib/jobs/mapping/sync-program.ts'
import type { NewRule } from '../lib/mapping/edges.ts'
import {
  assertRules,
  createProgram,
  createRuleFactory,
  haveFieldsChanged,
  omitUndefined,
  replaceRules,
  sheetToSide,
  startRecomputing,
  toSide,
  updateProgram,
} from '../lib/mapping/programs.ts'
import { serializeWithSteps } from '../lib/mapping/recipes/serialize.ts'
import { begin, type Tx } from '../lib/tx.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import * as programs from '../schemas/programs/endpoints.ts'
import type { MappingRule, MappingRuleConfig } from '../schemas/programs/rules.ts'
import type { CreateProgram, UpdateProgram } from '../schemas/programs/shape.ts'
import type { DuplicateSearch } from '../schemas/quality/shape.ts'

export const create = serve(programs.create)(async ({ environment, body, caller, tx }) => {
  const sides = await resolveSides(caller, environment.id, body)
  const { source, destination, sourceSheet } = sides
  if (!source || !destination) throw invalidField('source', message('mappings.sideRequired'))
  const rulesGiven = body.rules ?? []
  await assertRules(rulesGiven, { source, destination }, 'rules')
  const programSides = {
    accountId: environment.accountId,
    environmentId: environment.id,
    source,
    destination,
    ...sides.location,
  }
  const { suggestBetween } = await import('../lib/mapping/suggestions.ts')
  const { rules: suggestedRules } = await suggestBetween({ ...programSides, sourceSheet }, rulesGiven)
  const { familyId, namespace } = body
  const program = createProgram(
    { ...programSides, familyId, namespace },
    [...suggestedRules, ...rulesGiven],
    tx.actor,
    tx.now,
  )
  if (!body.save) return { data: serializeUnsaved(program) }
  insertProgram(tx, program)
  return { data: serializeWithSteps(program) }
})

function serializeUnsaved(program: NewProgram) {
  const { id, familyId, createdAt, createdBy, updatedAt, updatedBy, ...programFields } = program
  const rules = program.rules.map(({ id: _, ...rule }) => rule)
  return {
    ...serializeProgram({ ...program, ...programFields }),
    id: undefined,
    familyId: undefined,
    createdAt: undefined,
    rules,
  }
}

interface Sides {
  source?: ProgramSide | undefined
  destination?: ProgramSide | undefined
  sourceSheet?: StoredSheet | undefined
  location: Partial<Pick<NewProgram, 'spaceId' | 'workbookId' | 'sheetId' | 'sourceSheetId' | 'namespaces'>>
}

async function resolveSides(
  caller: Principal,
  environmentId: string,
  body: Pick<CreateProgram | UpdateProgram, 'source' | 'destination' | 'sourceSheetId' | 'destinationSheetId'>,
): Promise<Sides> {
  const loadSheet = async (id: string | undefined) => {
    const sheet = id === undefined ? undefined : await loadScope('sheet', caller, id)
    if (sheet && sheet.environmentId !== environmentId) throw notFound('sheet', sheet.id)
    return sheet
  }
  const [firstSheet, secondSheet] = await Promise.all([
    loadSheet(body.sourceSheetId),
    loadSheet(body.destinationSheetId),
  ])
  if (firstSheet && secondSheet && firstSheet.spaceId !== secondSheet.spaceId)
    throw invalidField('destinationSheetId', message('mappings.differentSpaces'))
  return {
    source: body.source ? toSide(body.source) : firstSheet && sheetToSide(firstSheet),
    destination: body.destination ? toSide(body.destination) : secondSheet && sheetToSide(secondSheet),
    sourceSheet: firstSheet,
    location: {
      ...(firstSheet
        ? {
            sourceSheetId: firstSheet.id,
            workbookId: firstSheet.workbookId,
            spaceId: firstSheet.spaceId,
            namespaces: firstSheet.namespaces,
          }
        : {}),
      ...(secondSheet
        ? {
            sheetId: secondSheet.id,
            workbookId: secondSheet.workbookId,
            spaceId: secondSheet.spaceId,
            namespaces: secondSheet.namespaces,
          }
        : {}),
    },
  }
}

export const list = serve(programs.list)(async ({ environments, query }) => {
  const order = query.sortDirection ?? 'desc'
  const listIn = query.recipes ? Programs.recipesIn : Programs.inEnvironment
  const candidates = (await Promise.all(environments.map(({ id }) => listIn(id, order)))).flat()
  const matching = candidates.filter((program) => matchesFilters(program, query))
  if (environments.length > 1) matching.sort((a, b) => (a.id < b.id === (order === 'asc') ? -1 : 1))
  const { data, pagination } = paginate(matching, query)
  return { data: data.map(serializeWithSteps), pagination }
})

type Filters = (typeof programs.list.query)['_output']

function matchesFilters(program: StoredProgram, query: Filters): boolean {
  const { createdBy, modifiedBy, jobId, familyId, namespace } = query
  return (
    Object.entries({ createdBy, jobId, familyId, namespace }).every(
      ([key, value]) => value === undefined || program[key as keyof StoredProgram] === value,
    ) &&
    (modifiedBy === undefined || program.updatedBy === modifiedBy) &&
    isWithin(program.createdAt, query.createdAfter, query.createdBefore) &&
    isWithin(program.updatedAt, query.modifiedAfter, query.modifiedBefore) &&
    hasKeys(program.source, query.sourceKeys) &&
    hasKeys(program.destination, query.destinationKeys)
  )
}

const isWithin = (time: string, after: string | undefined, before: string | undefined): boolean =>
  (after === undefined || Date.parse(time) >= Date.parse(after)) &&
  (before === undefined || Date.parse(time) < Date.parse(before))

const hasKeys = ({ fields }: ProgramSide, keys: string | undefined): boolean => {
  const hasField = (key: string) => fields.some((field) => field.key === key)
  return keys === undefined || hasField(keys) || keys.split(',').every((key) => hasField(key.trim()))
}

export const forget = serve(programs.forget)(async ({ environments, caller }) => {
  for (const { id } of environments) {
    const memories = (await MappingMemories.inEnvironment(id)).filter(({ actorId }) => actorId === caller.actorId)
    for (let offset = 0; offset < memories.length; offset += MAX_MEMORIES_PER_TRANSACTION) {
      const tx = begin(caller)
      tx.write(
        ...memories
          .slice(offset, offset + MAX_MEMORIES_PER_TRANSACTION)
          .map((memory) => MappingMemories.remove(memory)),
      )
      await tx.commit()
    }
  }
  return success
})

const MAX_MEMORIES_PER_TRANSACTION = 90

export const get = serve(programs.get)(async ({ program }) => ({ data: serializeWithSteps(program) }))

export const update = serve(programs.update)(async ({ program, body, caller, tx }) => {
  const { source, destination, location } = await resolveSides(caller, program.environmentId, body)
  const { familyId = program.familyId, namespace = program.namespace } = body
  const { recipe, merges = program.merges } = body
  assertMergeFields(body.merges ?? [], destination ?? program.destination)
  if (recipe && !program.recipe) throw invalidField('recipe', message('recipes.notRecipe'))
  const before = {
    ...program,
    ...(program.recipe ? { recipe: { ...program.recipe, ...omitUndefined(recipe ?? {}) } } : {}),
    merges,
    source: source ?? program.source,
    destination: destination ?? program.destination,
    familyId,
    namespace,
    ...location,
  }
  if (body.rules) await assertRules(body.rules, before, 'rules')
  const after = body.rules ? replaceRules<NewProgram>(before, mergeRules(program.rules, body.rules, tx)) : before
  if (!haveFieldsChanged(program, after)) {
    const updated = updateProgram(tx, program, after)
    await syncPlan(tx, updated)
    return { data: serializeWithSteps(updated) }
  }
  const memories = begin(caller)
  startRecomputing(memories, program, after)
  await memories.commit()
  const { recomputeProgram } = await import('../lib/mapping/recompute.ts')
  const recomputed = await recomputeProgram(caller, program.id, syncPlan)
  if (!recomputed) throw notFound('program', program.id)
  return { data: serializeWithSteps(recomputed) }
})

function assertMergeFields(merges: readonly DuplicateSearch[], { fields }: ProgramSide): void {
  const keys = new Set(fields.map(({ key }) => key))
  const problems = merges.flatMap((search, index) =>
    search.fields.flatMap((field, at) =>
      keys.has(field)
        ? []
        : [{ key: `merges.${index}.fields.${at}`, message: message('mappings.unknownDestinationField', { field }) }],
    ),
  )
  if (problems.length > 0) throw invalid(problems)
}

function mergeRules(before: readonly MappingRule[], configs: readonly MappingRuleConfig[], tx: Tx): MappingRule[] {
  const formatRuleKey = (rule: NewRule) => JSON.stringify([rule.type, rule.config])
  const rulesByKey = new Map(before.map((rule) => [formatRuleKey(rule), rule]))
  const buildRule = createRuleFactory(tx.actor, tx.now)
  return configs.map((rule) => buildRule(rule, rulesByKey.get(formatRuleKey(rule))))
}

export const remove = serve(programs.remove)(async ({ program, tx }) => {
  tx.write(...Programs.remove(program))
  return success
})

export const rules = serve(programs.rules)(async ({ program }) => ({ data: program.rules }))

export const createRules = serve(programs.createRules)(async ({ program, body, tx }) => {
  await assertRules(body, program, '')
  const buildRule = createRuleFactory(tx.actor, tx.now)
  const newRules = body.map((rule) => buildRule(rule))
  await storeRules(tx, program, [...program.rules, ...newRules])
  return { data: newRules }
})

type ChangedRule = { id: string } & Partial<MappingRuleConfig>

export const updateRules = serve(programs.updateRules)(async ({ program, body, tx }) => ({
  data: await updateRulesById(tx, program, body, (key) => key),
}))

export const removeRules = serve(programs.removeRules)(async ({ program, body, tx }) => {
  for (const id of body.ruleIds) findRule(program, id)
  await storeRules(
    tx,
    program,
    program.rules.filter(({ id }) => !body.ruleIds.includes(id)),
  )
  return success
})

export const getRule = serve(programs.getRule)(async ({ program, params }) => ({
  data: findRule(program, params.mappingId),
}))

export const updateRule = serve(programs.updateRule)(async ({ program, params, body, tx }) => {
  const [changed] = await updateRulesById(tx, program, [{ ...body, id: params.mappingId }], (key) =>
    key.replace(/^0\./, ''),
  )
  return { data: changed! }
})

export const removeRule = serve(programs.removeRule)(async ({ program, params, tx }) => {
  const { id } = findRule(program, params.mappingId)
  await storeRules(
    tx,
    program,
    program.rules.filter((rule) => rule.id !== id),
  )
  return success
})

function findRule(program: StoredProgram, ruleId: string): MappingRule {
  const rule = program.rules.find(({ id }) => id === ruleId)
  if (!rule) throw notFound('rule', ruleId)
  return rule
}

async function updateRulesById(
  tx: Tx,
  program: StoredProgram,
  changes: readonly ChangedRule[],
  toRequestKey: (key: string) => string,
): Promise<MappingRule[]> {
  const buildRule = createRuleFactory(tx.actor, tx.now)
  const changed = changes.map(({ id, ...changesToRule }) => {
    const before = findRule(program, id)
    const after = buildRule(
      {
        name: changesToRule.name ?? before.name,
        type: changesToRule.type ?? before.type,
        ...changesToRule,
      } as MappingRuleConfig,
      before,
    )
    // A rule changed by a client is no longer a suggestion.
    if (changesToRule.config !== undefined || changesToRule.type !== undefined) delete after.confidence
    return after
  })
  await assertRules(changed, program, '', toRequestKey)
  const byId = new Map(changed.map((rule) => [rule.id, rule]))
  await storeRules(
    tx,
    program,
    program.rules.map((rule) => byId.get(rule.id) ?? rule),
  )
  return changed
}

async function storeRules(tx: Tx, program: StoredProgram, after: MappingRule[]): Promise<void> {
  const updated = updateProgram(tx, program, replaceRules<NewProgram>(program, after))
  await syncPlan(tx, updated)
}

export const handler = lambda(
  create,
  list,
  forget,
  get,
  update,
  remove,
  rules,
  createRules,
  updateRules,
  removeRules,
  getRule,
  updateRule,
  removeRule,
)
