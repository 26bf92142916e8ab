/** Mapping programs: made and changed. Knows no HTTP, and of jobs only that a program may belong to one. */
import type { MappingRule } from '../../schemas/mapping-rule.ts'
import * as programs from '../../schemas/programs.ts'
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

/** As much of a sheet's configuration as a mapping looks at. */
export const sideOf = (config: {
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

export const sideOfSheet = (sheet: StoredSheet): ProgramSide =>
  sideOf({ ...sheet.config, name: sheet.name, slug: sheet.slug })

export type Sided = Pick<NewProgram, 'source' | 'destination'>
export const fieldsOf = ({ source, destination }: Sided) => ({ source: source.fields, destination: destination.fields })

/**
 * @param keyIn a problem's key in the request, from its key below `at`
 * @throws ApiError invalid with all that is wrong with the rules
 */
export async function assertRules(
  rules: readonly unknown[],
  sides: Sided,
  at: string,
  keyIn: (key: string) => string = (key) => key,
): Promise<void> {
  if (rules.length === 0) return
  const { checkRules } = await import('./rules/check.ts')
  const { problems } = checkRules(rules, fieldsOf(sides), at)
  if (problems.length > 0) throw invalid(problems.map(({ key, message }) => ({ key: keyIn(key) || 'rules', message })))
}

/** Makes a rule a kept one; what it was before gives its id. A rule told anew is the client's own, whoever suggested it. */
export const keeper =
  ({ actorId }: Actor, now: string) =>
  (rule: NewRule, before?: MappingRule): MappingRule => ({
    ...before,
    ...defined(rule),
    id: before?.id ?? newId('rule'),
    createdBy: before?.createdBy ?? actorId,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  })

const defined = (rule: NewRule): NewRule =>
  Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)) as NewRule

/** The program with these rules, and how many came and went. */
export function withRules<P extends NewProgram>(program: P, rules: MappingRule[]): P {
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

/** A program that is not kept yet. */
export function newProgram(
  about: Pick<NewProgram, 'accountId' | 'environmentId' | 'source' | 'destination'> & Partial<NewProgram>,
  rules: readonly NewRule[],
  { actorId }: Actor,
  now: string,
): NewProgram {
  const program: NewProgram = {
    ...about,
    id: about.id ?? newId('program'),
    familyId: about.familyId ?? newId('family'),
    rules: [],
    summary: { totalRuleCount: 0, addedRuleCount: 0, deletedRuleCount: 0 },
    createdBy: actorId,
    createdAt: now,
    updatedBy: actorId,
    updatedAt: now,
  }
  const keep = keeper({ actorId, accountId: about.accountId }, now)
  return withRules(
    program,
    rules.map((rule) => keep(rule)),
  )
}

/** Writes a changed program and tells of it. */
export function changeProgram(tx: Tx, before: StoredProgram, after: NewProgram): NewProgram {
  const written = { ...after, updatedBy: tx.actor.actorId, updatedAt: tx.now }
  tx.write(Programs.replace(before, written))
  tx.emit(programs.updated, programContext(written), {}, { namespaces: written.namespaces })
  return written
}

/** Have the fields of a side changed, so that suggestions may be others? */
export const hasOtherFields = (before: Sided, after: Sided): boolean =>
  JSON.stringify(fieldsOf(before)) !== JSON.stringify(fieldsOf(after))

/** Writes a program whose suggestions are to be computed again, and tells so; recompute.ts does it. */
export function beginRecomputing(tx: Tx, before: StoredProgram, after: NewProgram): void {
  const written = changeProgram(tx, before, { ...after, recomputingAt: tx.now })
  tx.emit(programs.recomputing, programContext(written), {}, { namespaces: written.namespaces })
}
