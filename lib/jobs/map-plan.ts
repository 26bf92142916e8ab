/** Makes the plan of a mapping job, with its program: of rules that are suggested, told, or another program's. */
import type { Plan } from '../../schemas/mapping.ts'
import * as operations from '../../schemas/operations.ts'
import { newId } from '../core/ids.ts'
import type { NewJob } from '../entities/jobs.ts'
import { insertProgram, type NewProgram } from '../entities/programs.ts'
import { type NewRule, planByRules } from '../mapping/edges.ts'
import { assertRules, newProgram, sideOfSheet } from '../mapping/programs.ts'
import { suggestBetween } from '../mapping/suggestions.ts'
import type { Tx } from '../tx.ts'
import { configOf } from './offers/config.ts'
import type { MappedSheets } from './offers/mapped-sheets.ts'
import type { JobRequest, Planned } from './offers/offer.ts'
import { programIn, requiredInfo } from './programs.ts'
import type { JobPlace } from './references.ts'

export const sidesOf = ({ source, destination }: MappedSheets) => ({
  source: sideOfSheet(source),
  destination: sideOfSheet(destination),
})

/** The rules a job comes with, by itself or by a saved program; undefined when suggestions are wanted. */
export async function givenRules(
  job: JobRequest,
  place: JobPlace,
  sheets: MappedSheets,
): Promise<NewRule[] | undefined> {
  const { mappingRules, programId } = configOf(operations.map, job)
  if (mappingRules) {
    await assertRules(mappingRules, sidesOf(sheets), 'config.mappingRules')
    return mappingRules.map(asRule)
  }
  if (programId === undefined) return undefined
  const { rules } = await programIn(place, programId)
  await assertRules(rules, sidesOf(sheets), 'config.programId')
  return rules.map(asRule)
}

/** A rule as jobs and programs tell it: its members may stand beside its type. */
function asRule(told: object): NewRule {
  const { type, name, config, metadata, ...beside } = told as NewRule & Record<string, unknown>
  return { type, name: name ?? type, config: config ?? beside, ...(metadata === undefined ? {} : { metadata }) }
}

/** The plan with its program, which is written with it. */
export async function planFor(job: JobRequest, place: JobPlace, sheets: MappedSheets): Promise<Planned> {
  const given = await givenRules(job, place, sheets)
  const sides = sidesOf(sheets)
  const { accountId, environmentId, spaceId } = sheets.destination
  const between = { accountId, environmentId, spaceId, ...sides, sourceSheet: sheets.source }
  const wanted = given === undefined || configOf(operations.map, job).canRecompute === true
  const { rules: suggested, plan } = await suggestBetween(between, given ?? [])
  const rules = [...(wanted ? suggested : []), ...(given ?? [])]
  const programId = newId('program')
  const fields = { source: sides.source.fields, destination: sides.destination.fields }
  const about = {
    ...{ id: programId, accountId, environmentId, spaceId, ...sides },
    ...{ workbookId: sheets.destination.workbookId, sheetId: sheets.destination.id, sourceSheetId: sheets.source.id },
    namespaces: sheets.destination.namespaces,
  }
  const programOf = (tx: Tx, jobId: string): NewProgram => newProgram({ ...about, jobId }, rules, tx.actor, tx.now)
  const kept: Plan = { ...planByRules(plan, rules, fields), programId }
  return {
    plan: kept,
    info: requiredInfo(rules, sides.destination.fields),
    alongside: (tx: Tx, { id }: NewJob) => insertProgram(tx, programOf(tx, id)),
  }
}
