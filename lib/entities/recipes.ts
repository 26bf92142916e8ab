/** Lists the recipes of an environment, which are few of its many programs. */
import * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { entity } from '../table/entity.ts'
import type { Write } from '../table/write.ts'

const Shape = z.object({ id: Id, environmentId: Id })
type ListedRecipe = z.infer<typeof Shape>

const stored = entity({
  name: 'recipe',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } },
})

export const Recipes = {
  create: ({ id, environmentId }: ListedRecipe): Write => stored.create({ id, environmentId }),
  remove: ({ id, environmentId }: ListedRecipe): Write => stored.remove({ id, environmentId, rev: 1 }),
  listIds: async (environmentId: string, order: 'asc' | 'desc' = 'desc'): Promise<string[]> =>
    (await stored.list('inEnvironment', { environmentId }, { order })).map(({ id }) => id),
}
