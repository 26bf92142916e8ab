/** Finds recipes for a caller: those it may read, those it made, and those that are for guests. */
import { may, type Principal } from '../../auth/principal.ts'
import { Programs, type StoredProgram } from '../../entities/programs.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { getSourceFields, getTargetFields } from '../edges.ts'

type Location = Pick<StoredSheet, 'accountId' | 'environmentId' | 'spaceId'>

export const canUseRecipe = (caller: Principal, { recipe, ...program }: StoredProgram, location: Location): boolean =>
  recipe !== undefined &&
  program.accountId === location.accountId &&
  program.environmentId === location.environmentId &&
  (program.spaceId === undefined || program.spaceId === location.spaceId) &&
  (recipe.forGuests || program.createdBy === caller.actorId || may(caller, 'mapping:read', program))

export async function findAutomaticRecipe(
  caller: Principal,
  { source, destination }: { source: StoredSheet; destination: StoredSheet },
): Promise<StoredProgram | undefined> {
  const recipes = await Programs.recipesIn(destination.environmentId)
  const columns = new Set(source.config.fields.map(({ key }) => key))
  const candidates = recipes
    .filter((program) => program.recipe?.automatic && canUseRecipe(caller, program, destination))
    .filter((program) => isForSheet(program, destination))
    .flatMap((program) => {
      const needed = [...getSourceFields(program.rules)]
      const found = needed.filter((key) => columns.has(key)).length
      return found > 0 && found * 2 >= needed.length ? [{ program, found }] : []
    })
  return candidates.sort((a, b) => b.found - a.found || (a.program.id < b.program.id ? 1 : -1))[0]?.program
}

function isForSheet({ sheetId, destination, rules }: StoredProgram, sheet: StoredSheet): boolean {
  if (sheetId === sheet.id) return true
  const types = new Map(sheet.config.fields.map(({ key, type }) => [key, type]))
  return (
    destination.slug === sheet.slug &&
    [...getTargetFields(rules)].every(
      (key) => types.get(key) === destination.fields.find((field) => field.key === key)?.type,
    )
  )
}
