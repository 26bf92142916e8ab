import * as z from 'zod'
import { Id, scoped, Time, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { message } from '../messages/index.ts'
import { DuplicateSearch } from '../quality/shape.ts'
import { SheetConfig } from '../sheets/shape.ts'
import { MAX_MERGES_PER_PROGRAM } from './limits.ts'
import { Recipe, RecipeChanges } from './recipe.ts'
import { MAX_RULES_PER_PROGRAM, MappingRuleConfig, ProgramRule } from './rules.ts'

const ruleCounts = {
  totalRuleCount: z.number().int(),
  addedRuleCount: z.number().int(),
  deletedRuleCount: z.number().int(),
}
export const ProgramSummary = z.object(ruleCounts)
export type ProgramSummary = z.infer<typeof ProgramSummary>

export const Program = z.object({
  id: Id.optional(),
  environmentId: Id.optional(),
  spaceId: Id.optional(),
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  sourceSheetId: Id.optional(),
  jobId: Id.optional(),
  familyId: Id.optional(),
  namespace: z.string().optional(),
  /** In the order they apply. Rules of an unsaved program have no id. */
  rules: z.array(ProgramRule),
  sourceKeys: z.array(z.string()),
  destinationKeys: z.array(z.string()),
  summary: ProgramSummary,
  recipe: Recipe.optional(),
  /** Searches for duplicates that a job merges after its import, if they contain imported records. */
  merges: z.array(DuplicateSearch).optional(),
  recomputingAt: Time.optional(),
  acceptedAt: Time.optional(),
  acceptedBy: Id.optional(),
  createdBy: Id.optional(),
  createdAt: Time.optional(),
  updatedAt: Time.optional(),
})
export type Program = z.infer<typeof Program>

const Rules = z.array(MappingRuleConfig).max(MAX_RULES_PER_PROGRAM)
const sheetFields = {
  source: nullish(SheetConfig),
  destination: nullish(SheetConfig),
  sourceSheetId: nullish(scoped('sheet')),
  destinationSheetId: nullish(scoped('sheet')),
}
const programLabels = {
  familyId: nullish(unscoped('a name shared by related programs; it is not used for lookups')),
  namespace: nullish(z.string().max(200)),
}

export const CreateProgram = z
  .object({
    ...sheetFields,
    ...programLabels,
    save: nullish(z.boolean()),
    rules: nullish(Rules),
  })
  .superRefine((config, context) => {
    for (const side of ['source', 'destination'] as const)
      if (config[side] === undefined && config[`${side}SheetId`] === undefined)
        context.addIssue({
          code: 'custom',
          path: [side],
          message: message('mappings.sideRequiredUnless', { property: `${side}SheetId` }),
        })
  })
export type CreateProgram = z.output<typeof CreateProgram>

export const UpdateProgram = z.object({
  ...sheetFields,
  ...programLabels,
  save: nullish(z.boolean()),
  rules: nullish(Rules),
  recipe: nullish(RecipeChanges),
  merges: nullish(z.array(DuplicateSearch).max(MAX_MERGES_PER_PROGRAM)),
})
export type UpdateProgram = z.output<typeof UpdateProgram>
