/** Recipes: mapping programs made from the work on one file, and how they fit another file. */
import * as z from 'zod'
import { Id } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'

const name = z.string().trim().min(1).max(200)
/** Automatic recipes are applied to new mapping jobs that fit; guests only get those that are for them. */
const flags = { automatic: z.boolean(), forGuests: z.boolean() }

export const StoredRecipe = z.object({ name, ...flags, jobId: Id })

const RecipeStep = z.object({ text: z.string(), ruleId: Id.optional() })
export const Recipe = StoredRecipe.extend({ steps: z.array(RecipeStep) })

export const RecipeChanges = z.object({
  name: nullish(name),
  automatic: nullish(flags.automatic),
  forGuests: nullish(flags.forGuests),
})

export const KeepRecipe = z.strictObject({
  name,
  automatic: flags.automatic.default(false),
  forGuests: flags.forGuests.default(false),
  scope: z.enum(['space', 'environment']).default('space'),
})
export type KeepRecipe = z.output<typeof KeepRecipe>

const STEP_STATUSES = ['applied', 'nothing-to-do', 'does-not-fit', 'removed'] as const

export const UsedStep = z.object({
  text: z.string(),
  status: z.enum(STEP_STATUSES),
  count: z.number().int().optional(),
  problem: z.string().optional(),
})
export type UsedStep = z.infer<typeof UsedStep>

export const UsedRecipe = z.object({ programId: Id, name: z.string(), steps: z.array(UsedStep) })
export type UsedRecipe = z.infer<typeof UsedRecipe>
