/** Mapping programs and their rules over HTTP. A change of either has the plan of the program's job follow. */
import type { Principal } from '../lib/auth/principal.ts'
import { loadScope } from '../lib/auth/scopes.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { MappingMemories } from '../lib/entities/mapping-memories.ts'
import {
  insertProgram,
  type NewProgram,
  type ProgramSide,
  Programs,
  type StoredProgram,
  shownProgram,
} from '../lib/entities/programs.ts'
import type { StoredSheet } from '../lib/entities/sheets.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { planFollows } from '../lib/jobs/programs.ts'
import type { NewRule } from '../lib/mapping/edges.ts'
import {
  assertRules,
  beginRecomputing,
  changeProgram,
  hasOtherFields,
  keeper,
  newProgram,
  sideOf,
  sideOfSheet,
  withRules,
} from '../lib/mapping/programs.ts'
import { begin, type Tx } from '../lib/tx.ts'
import type { MappingRule, MappingRuleConfig } from '../schemas/mapping-rule.ts'
import { success } from '../schemas/page.ts'
import type { CreateProgram, UpdateProgram } from '../schemas/program.ts'
import * as programs from '../schemas/programs.ts'

export const create = serve(programs.create)(async ({ environment, body, caller, tx }) => {
  const sides = await sidesOf(caller, environment.id, body)
  const { source, destination, sourceSheet } = sides
  if (!source || !destination) throw invalidField('source', 'is required')
  const given = body.rules ?? []
  await assertRules(given, { source, destination }, 'rules')
  const about = { accountId: environment.accountId, environmentId: environment.id, source, destination, ...sides.place }
  const { suggestBetween } = await import('../lib/mapping/suggestions.ts')
  const { rules: suggested } = await suggestBetween({ ...about, sourceSheet }, given)
  const { familyId, namespace } = body
  const program = newProgram({ ...about, familyId, namespace }, [...suggested, ...given], tx.actor, tx.now)
  if (!body.save) return { data: unsaved(program) }
  insertProgram(tx, program)
  return { data: shownProgram(program) }
})

/** What is answered of a program that is not kept: nothing that could be asked for again. */
function unsaved(program: NewProgram) {
  const { id, familyId, createdAt, createdBy, updatedAt, updatedBy, ...rest } = program
  const rules = program.rules.map(({ id: _, ...rule }) => rule)
  return { ...shownProgram({ ...program, ...rest }), id: undefined, familyId: undefined, createdAt: undefined, rules }
}

interface Sides {
  source?: ProgramSide | undefined
  destination?: ProgramSide | undefined
  sourceSheet?: StoredSheet | undefined
  /** Where the program is, when it is about sheets. */
  place: Partial<Pick<NewProgram, 'spaceId' | 'workbookId' | 'sheetId' | 'sourceSheetId' | 'namespaces'>>
}

/** The sides a request tells, by themselves or by sheets of one space. */
async function sidesOf(
  caller: Principal,
  environmentId: string,
  body: Pick<CreateProgram | UpdateProgram, 'source' | 'destination' | 'sourceSheetId' | 'destinationSheetId'>,
): Promise<Sides> {
  const sheetOf = async (id: string | undefined) => {
    const sheet = id === undefined ? undefined : await loadScope('sheet', caller, id)
    if (sheet && sheet.environmentId !== environmentId) throw notFound('sheet', sheet.id)
    return sheet
  }
  const [from, to] = await Promise.all([sheetOf(body.sourceSheetId), sheetOf(body.destinationSheetId)])
  if (from && to && from.spaceId !== to.spaceId)
    throw invalidField('destinationSheetId', 'must be in the same space as the source')
  return {
    source: body.source ? sideOf(body.source) : from && sideOfSheet(from),
    destination: body.destination ? sideOf(body.destination) : to && sideOfSheet(to),
    sourceSheet: from,
    place: {
      ...(from
        ? {
            sourceSheetId: from.id,
            workbookId: from.workbookId,
            spaceId: from.spaceId,
            namespaces: from.namespaces,
          }
        : {}),
      ...(to ? { sheetId: to.id, workbookId: to.workbookId, spaceId: to.spaceId, namespaces: to.namespaces } : {}),
    },
  }
}

export const list = serve(programs.list)(async ({ environments, query }) => {
  const order = query.sortDirection ?? 'desc'
  const found = (await Promise.all(environments.map(({ id }) => Programs.inEnvironment(id, order)))).flat()
  const wanted = found.filter((program) => fits(program, query))
  if (environments.length > 1) wanted.sort((a, b) => (a.id < b.id === (order === 'asc') ? -1 : 1))
  const { data, pagination } = pageOf(wanted, query)
  return { data: data.map(shownProgram), pagination }
})

type Filters = (typeof programs.list.query)['_output']

function fits(program: StoredProgram, query: Filters): boolean {
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

/** Keys with commas between them; one that has a comma itself stands alone. */
const hasKeys = ({ fields }: ProgramSide, keys: string | undefined): boolean => {
  const has = (key: string) => fields.some((field) => field.key === key)
  return keys === undefined || has(keys) || keys.split(',').every((key) => has(key.trim()))
}

export const forget = serve(programs.forget)(async ({ environments, caller }) => {
  for (const { id } of environments) {
    const own = (await MappingMemories.inEnvironment(id)).filter(({ actorId }) => actorId === caller.actorId)
    for (let first = 0; first < own.length; first += FORGOTTEN_AT_ONCE) {
      const tx = begin(caller)
      tx.write(...own.slice(first, first + FORGOTTEN_AT_ONCE).map((memory) => MappingMemories.remove(memory)))
      await tx.commit()
    }
  }
  return success
})

const FORGOTTEN_AT_ONCE = 90

export const get = serve(programs.get)(async ({ program }) => ({ data: shownProgram(program) }))

export const update = serve(programs.update)(async ({ program, body, caller, tx }) => {
  const { source, destination, place } = await sidesOf(caller, program.environmentId, body)
  const { familyId = program.familyId, namespace = program.namespace } = body
  const before = {
    ...program,
    source: source ?? program.source,
    destination: destination ?? program.destination,
    familyId,
    namespace,
    ...place,
  }
  if (body.rules) await assertRules(body.rules, before, 'rules')
  const after = body.rules ? withRules<NewProgram>(before, rulesInPlace(program.rules, body.rules, tx)) : before
  if (!hasOtherFields(program, after)) {
    const told = changeProgram(tx, program, after)
    await planFollows(tx, told)
    return { data: shownProgram(told) }
  }
  const own = begin(caller)
  beginRecomputing(own, program, after)
  await own.commit()
  const { recompute } = await import('../lib/mapping/recompute.ts')
  const fresh = await recompute(caller, program.id, planFollows)
  if (!fresh) throw notFound('program', program.id)
  return { data: shownProgram(fresh) }
})

/** A rule told again as it was is the same rule. */
function rulesInPlace(before: readonly MappingRule[], told: readonly MappingRuleConfig[], tx: Tx): MappingRule[] {
  const same = (rule: NewRule) => JSON.stringify([rule.type, rule.config])
  const known = new Map(before.map((rule) => [same(rule), rule]))
  const keep = keeper(tx.actor, tx.now)
  return told.map((rule) => keep(rule, known.get(same(rule))))
}

export const remove = serve(programs.remove)(async ({ program, tx }) => {
  tx.write(Programs.remove(program))
  return success
})

export const rules = serve(programs.rules)(async ({ program }) => ({ data: program.rules }))

export const createRules = serve(programs.createRules)(async ({ program, body, tx }) => {
  await assertRules(body, program, '')
  const keep = keeper(tx.actor, tx.now)
  const added = body.map((rule) => keep(rule))
  await change(tx, program, [...program.rules, ...added])
  return { data: added }
})

type ChangedRule = { id: string } & Partial<MappingRuleConfig>

export const updateRules = serve(programs.updateRules)(async ({ program, body, tx }) => ({
  data: await changeRules(tx, program, body, (key) => key),
}))

export const removeRules = serve(programs.removeRules)(async ({ program, body, tx }) => {
  for (const id of body.ruleIds) ruleIn(program, id)
  await change(
    tx,
    program,
    program.rules.filter(({ id }) => !body.ruleIds.includes(id)),
  )
  return success
})

export const getRule = serve(programs.getRule)(async ({ program, params }) => ({
  data: ruleIn(program, params.mappingId),
}))

export const updateRule = serve(programs.updateRule)(async ({ program, params, body, tx }) => {
  const [changed] = await changeRules(tx, program, [{ ...body, id: params.mappingId }], (key) =>
    key.replace(/^0\./, ''),
  )
  return { data: changed! }
})

export const removeRule = serve(programs.removeRule)(async ({ program, params, tx }) => {
  const { id } = ruleIn(program, params.mappingId)
  await change(
    tx,
    program,
    program.rules.filter((rule) => rule.id !== id),
  )
  return success
})

/** A rule is read through its own program alone. */
function ruleIn(program: StoredProgram, ruleId: string): MappingRule {
  const rule = program.rules.find(({ id }) => id === ruleId)
  if (!rule) throw notFound('rule', ruleId)
  return rule
}

/** @param keyIn a problem's key in the request, from its key in a list of the changed rules */
async function changeRules(
  tx: Tx,
  program: StoredProgram,
  changes: readonly ChangedRule[],
  keyIn: (key: string) => string,
): Promise<MappingRule[]> {
  const keep = keeper(tx.actor, tx.now)
  const changed = changes.map(({ id, ...given }) => {
    const before = ruleIn(program, id)
    const after = keep(
      { name: given.name ?? before.name, type: given.type ?? before.type, ...given } as MappingRuleConfig,
      before,
    )
    // What a client has changed is its own, and no suggestion any more.
    if (given.config !== undefined || given.type !== undefined) delete after.confidence
    return after
  })
  await assertRules(changed, program, '', keyIn)
  const byId = new Map(changed.map((rule) => [rule.id, rule]))
  await change(
    tx,
    program,
    program.rules.map((rule) => byId.get(rule.id) ?? rule),
  )
  return changed
}

async function change(tx: Tx, program: StoredProgram, after: MappingRule[]): Promise<void> {
  const told = changeProgram(tx, program, withRules<NewProgram>(program, after))
  await planFollows(tx, told)
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
