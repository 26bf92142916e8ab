/** Computes the suggestions of mapping programs again: apart from programs.ts, for few functions do. */
import type { MappingRule } from '../../schemas/mapping-rule.ts'
import * as programs from '../../schemas/programs.ts'
import { type NewProgram, Programs, programContext, type StoredProgram } from '../entities/programs.ts'
import { Sheets } from '../entities/sheets.ts'
import { ConditionFailed } from '../table/transact.ts'
import { type Actor, begin, type Tx } from '../tx.ts'
import { assignOf, type NewRule } from './edges.ts'
import { fieldsOf, keeper, withRules } from './programs.ts'
import { checkRules } from './rules/check.ts'
import { suggestBetween } from './suggestions.ts'

/** What follows a change of a program's rules in the same transaction. */
export type Following = (tx: Tx, program: NewProgram) => Promise<void>

/** Attempts before somebody who keeps changing the program is told to wait. */
const ATTEMPTS = 8

/**
 * Computes the suggestions of a program that waits for it: from its fields, the values of its source sheet and what was
 * accepted before. Rules that clients made or somebody accepted stay while their fields are there. Safe to call any number
 * of times.
 * @returns the program as it is then, undefined when it is gone
 */
export async function recompute(actor: Actor, programId: string, follow: Following): Promise<NewProgram | undefined> {
  for (let attempt = 1; ; attempt++) {
    const before = await Programs.get(programId)
    if (before?.recomputingAt === undefined) return before
    const tx = begin(actor)
    const { recomputingAt: _, ...rest } = before
    const after = { ...withRules(rest, await rulesAnew(before, keeper(actor, tx.now))), updatedAt: tx.now }
    tx.write(Programs.replace(before, after))
    tx.emit(programs.recomputed, programContext(after), {}, { namespaces: after.namespaces })
    await follow(tx, after)
    if (attempt < ATTEMPTS) tx.onConflict((error) => error)
    try {
      await tx.commit()
      return after
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
    }
  }
}

const isSuggestion = ({ confidence, acceptedAt }: MappingRule): boolean =>
  confidence !== undefined && acceptedAt === undefined

async function rulesAnew(program: StoredProgram, keep: ReturnType<typeof keeper>): Promise<MappingRule[]> {
  const stays = program.rules.filter(
    (rule) => !isSuggestion(rule) && checkRules([rule], fieldsOf(program)).problems.length === 0,
  )
  const sourceSheet = program.sourceSheetId === undefined ? undefined : await Sheets.get(program.sourceSheetId)
  const { rules } = await suggestBetween({ ...program, sourceSheet }, stays)
  const known = new Map(program.rules.filter(isSuggestion).map((rule) => [saidBy(rule), rule]))
  const suggested = rules.map((rule) => keep(rule, known.get(saidBy(rule))))
  return [...suggested, ...stays]
}

/** The same arrow suggested again is the same rule, whatever its values become. */
const saidBy = (rule: NewRule | MappingRule): string => {
  const config = assignOf(rule)
  return JSON.stringify(config ? [config.sourceField, config.destinationField] : [rule.type, rule.config])
}
