import * as contracts from '../../../schemas/jobs/operations.ts'
import { loadWithPermission } from '../../auth/load-resource.ts'
import { getImportSettings } from '../mapping/import-modes.ts'
import { resolveMappedSheets } from '../mapping/mapped-sheets.ts'
import type { JobRequest } from '../request/config.ts'
import { fitsContract, type PlatformOperation } from './operation.ts'

export const map: PlatformOperation = {
  contract: contracts.map,
  matches: (job) => fitsContract(contracts.map, withoutOptions(job)),
  validate: async (job, location, caller) => {
    const sheets = await resolveMappedSheets(job, location)
    getImportSettings(job, sheets.destination)
    const { getRequestedRules } = await import('../mapping/build-plan.ts')
    await getRequestedRules(job, location, sheets)
    await (await import('../mapping/recipes.ts')).validateRecipe(caller, job, sheets)
  },
  chooseRecipe: async (caller, job, location) =>
    (await import('../mapping/recipes.ts')).chooseRecipe(caller, job, await resolveMappedSheets(job, location)),
  plan: async (job, location) => {
    const { buildPlan } = await import('../mapping/build-plan.ts')
    return buildPlan(job, location, await resolveMappedSheets(job, location))
  },
  preview: async (caller, job) => {
    const sheets = await resolveMappedSheets(job, job)
    for (const { id } of [sheets.source, sheets.destination])
      await loadWithPermission('sheet', caller, 'records:read', id)
    return (await import('../mapping/preview.ts')).previewMapping(job, sheets)
  },
  run: async (run) => (await import('./workbook-map-run.ts')).runMapping(run),
}

/** A misspelled option is rejected, not left to a listener. */
function withoutOptions(job: JobRequest): JobRequest {
  const { importMode, keyFields, otherLines, recipeId, recipe, ...config } = job.config ?? {}
  return { ...job, config }
}
