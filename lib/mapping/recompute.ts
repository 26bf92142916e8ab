/** Recomputes the suggestions of mapping programs. Separate from programs.ts, because few functions need it. */

import * as programs from '../../schemas/programs/events.ts'
import type { MappingRule } from '../../schemas/programs/rules.ts'
import { type NewProgram, Programs, programContext, type StoredProgram } from '../entities/programs.ts'
import { Sheets } from '../entities/sheets.ts'
import { retryOnConflict } from '../table/transact.ts'
import { type Actor, begin, type Tx } from '../tx.ts'
import { getAssignConfig, type NewRule } from './edges.ts'
import { createRuleFactory, getFields, replaceRules } from './programs.ts'
import { validateRules } from './rules/validate.ts'
import { suggestBetween } from './suggestions.ts'

export type AfterRecompute = (tx: Tx, program: NewProgram) => Promise<void>

const ATTEMPTS = 8

/** Rules made by clients or accepted stay while their fields exist. Idempotent. Undefined when the program is gone. */
export async function recomputeProgram(
  actor: Actor,
  programId: string,
  afterRecompute: AfterRecompute,
): Promise<NewProgram | undefined> {
  return retryOnConflict(ATTEMPTS, async () => {
    const existing = await Programs.get(programId)
    if (existing?.recomputingAt === undefined) return existing
    const tx = begin(actor)
    const { recomputingAt: _, ...fields } = existing
    const updated = {
      ...replaceRules(fields, await recomputeRules(existing, createRuleFactory(actor, tx.now))),
      updatedAt: tx.now,
    }
    tx.write(Programs.replace(existing, updated))
    tx.emit(programs.recomputed, programContext(updated), {}, { namespaces: updated.namespaces })
    await afterRecompute(tx, updated)
    await tx.commit()
    return updated
  })
}

const isSuggestion = ({ confidence, acceptedAt }: MappingRule): boolean =>
  confidence !== undefined && acceptedAt === undefined

async function recomputeRules(
  program: StoredProgram,
  createRule: ReturnType<typeof createRuleFactory>,
): Promise<MappingRule[]> {
  const { suggested, retained } = await suggestRules(program)
  const previousSuggestions = new Map(program.rules.filter(isSuggestion).map((rule) => [buildRuleKey(rule), rule]))
  return [...suggested.map((rule) => createRule(rule, previousSuggestions.get(buildRuleKey(rule)))), ...retained]
}

export async function suggestAgain(program: StoredProgram): Promise<NewRule[]> {
  const { suggested, retained } = await suggestRules(program)
  return [...suggested, ...retained]
}

async function suggestRules(program: StoredProgram): Promise<{ suggested: NewRule[]; retained: MappingRule[] }> {
  const retained = program.rules.filter(
    (rule) => !isSuggestion(rule) && validateRules([rule], getFields(program)).problems.length === 0,
  )
  const sourceSheet = program.sourceSheetId === undefined ? undefined : await Sheets.get(program.sourceSheetId)
  const { rules } = await suggestBetween({ ...program, sourceSheet }, retained)
  return { suggested: rules, retained }
}

/** A repeated suggestion of the same edge keeps its rule id, even if its values differ. */
const buildRuleKey = (rule: NewRule | MappingRule): string => {
  const config = getAssignConfig(rule)
  return JSON.stringify(config ? [config.sourceField, config.destinationField] : [rule.type, rule.config])
}
