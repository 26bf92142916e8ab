/**
 * The operation `workbook:map` between two sheets of a space. Its plan comes from suggested, requested or saved rules.
 */
import * as operations from '../../../schemas/operations.ts'
import { isPlatformOperation } from './config.ts'
import type { PlatformOperation } from './definition.ts'
import { resolveMappedSheets } from './mapped-sheets.ts'

export const map: PlatformOperation = {
  operation: operations.map,
  matches: (job) => isPlatformOperation(operations.map, job),
  validate: async (job, location) => {
    const sheets = await resolveMappedSheets(job, location)
    const { getRequestedRules } = await import('../mapping-plan.ts')
    await getRequestedRules(job, location, sheets)
  },
  plan: async (job, location) => {
    const { buildPlan } = await import('../mapping-plan.ts')
    return buildPlan(job, location, await resolveMappedSheets(job, location))
  },
}
