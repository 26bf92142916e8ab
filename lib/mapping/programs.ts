/** Creates and changes mapping programs. Knows no HTTP. */

import * as programs from '../../schemas/programs/events.ts'
import type { MappingRule } from '../../schemas/programs/rules.ts'
import { invalid } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import {
  type NewProgram,
  type ProgramSide,
  Programs,
  programContext,
  type StoredProgram,
} from '../entities/programs.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import type { Actor, Tx } from '../tx.ts'
import type { NewRule } from './edges.ts'

export const toSide = (config: {
  name: string
  slug?: string | undefined
  fields: ProgramSide['fields']
  mappingConfidenceThreshold?: unknown
}): ProgramSide => ({
  name: config.name,
  ...(config.slug === undefined ? {} : { slug: config.slug }),
  fields: config.fields,
  ...(typeof config.mappingConfidenceThreshold === 'number'
    ? { mappingConfidenceThreshold: config.mappingConfidenceThreshold }
    : {}),
})

export const sheetToSide = (sheet: StoredSheet): ProgramSide =>
  toSide({ ...sheet.config, name: sheet.name, slug: sheet.slug })

export type MappingSides = Pick<NewProgram, 'source' | 'destination'>
export const getFields = ({ source, destination }: MappingSides) => ({
  source: source.fields,
  destination: destination.fields,
})

/** @throws ApiError invalid with every problem of the rules; `mapKey` maps its key to the one in the request */
export async function assertRules(
  rules: readonly unknown[],
  sides: MappingSides,
  keyPrefix: string,
  mapKey: (key: string) => string = (key) => key,
): Promise<void> {
  if (rules.length === 0) return
  const { validateRules } = await import('./rules/validate.ts')
  const { problems } = validateRules(rules, getFields(sides), keyPrefix)
  if (problems.length > 0) throw invalid(problems.map(({ key, message }) => ({ key: mapKey(key) || 'rules', message })))
}

/** Keeps the id of the previous version. A rule a client sends again becomes the client's, even if suggested. */
export const createRuleFactory =
  ({ actorId }: Actor, now: string) =>
  (rule: NewRule, before?: MappingRule): MappingRule => ({
    ...before,
    ...omitUndefined(rule),
    id: before?.id ?? newId('rule'),
    createdBy: before?.createdBy ?? actorId,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  })

export const omitUndefined = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

export function replaceRules<P extends NewProgram>(program: P, rules: MappingRule[]): P {
  const before = new Set(program.rules.map(({ id }) => id))
  const after = new Set(rules.map(({ id }) => id))
  return {
    ...program,
    rules,
    summary: {
      totalRuleCount: rules.length,
      addedRuleCount: rules.filter(({ id }) => !before.has(id)).length,
      deletedRuleCount: program.rules.filter(({ id }) => !after.has(id)).length,
    },
  }
}

export function createProgram(
  values: Pick<NewProgram, 'accountId' | 'environmentId' | 'source' | 'destination'> & Partial<NewProgram>,
  rules: readonly NewRule[],
  { actorId }: Actor,
  now: string,
): NewProgram {
  const program: NewProgram = {
    ...values,
    id: values.id ?? newId('program'),
    familyId: values.familyId ?? newId('family'),
    rules: [],
    summary: { totalRuleCount: 0, addedRuleCount: 0, deletedRuleCount: 0 },
    createdBy: actorId,
    createdAt: now,
    updatedBy: actorId,
    updatedAt: now,
  }
  const createRule = createRuleFactory({ actorId, accountId: values.accountId }, now)
  return replaceRules(
    program,
    rules.map((rule) => createRule(rule)),
  )
}

export function updateProgram(tx: Tx, before: StoredProgram, after: NewProgram): NewProgram {
  const updated = { ...after, updatedBy: tx.actor.actorId, updatedAt: tx.now }
  tx.write(Programs.replace(before, updated))
  tx.emit(programs.updated, programContext(updated), {}, { namespaces: updated.namespaces })
  return updated
}

export const haveFieldsChanged = (before: MappingSides, after: MappingSides): boolean =>
  JSON.stringify(getFields(before)) !== JSON.stringify(getFields(after))

export function startRecomputing(tx: Tx, before: StoredProgram, after: NewProgram): void {
  const updated = updateProgram(tx, before, { ...after, recomputingAt: tx.now })
  tx.emit(programs.recomputing, programContext(updated), {}, { namespaces: updated.namespaces })
}
