/** The shapes of mapping programs: two sheets' fields and the rules between them. Their endpoints are in programs.ts. */
import * as z from 'zod'
import { free, Id, scoped, Time } from './ids.ts'
import { MappingRuleConfig, ProgramRule, RULES_PER_PROGRAM } from './mapping-rule.ts'
import { maybe } from './optional.ts'
import { SheetConfig } from './sheet.ts'

const counts = {
  totalRuleCount: z.number().int(),
  /** By the latest change. */
  addedRuleCount: z.number().int(),
  deletedRuleCount: z.number().int(),
}
export const ProgramSummary = z.object(counts)
export type ProgramSummary = z.infer<typeof ProgramSummary>

export const Program = z.object({
  /** Absent where the program was not saved. */
  id: Id.optional(),
  environmentId: Id.optional(),
  /** Of a program between sheets: where the destination is. */
  spaceId: Id.optional(),
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  sourceSheetId: Id.optional(),
  /** The mapping job whose plan it is. */
  jobId: Id.optional(),
  /** Programs for the same kind of file; a new one unless told. */
  familyId: Id.optional(),
  namespace: z.string().optional(),
  /** In the order they are applied. Rules of a program that was not saved have no id. */
  rules: z.array(ProgramRule),
  sourceKeys: z.array(z.string()),
  destinationKeys: z.array(z.string()),
  summary: ProgramSummary,
  /** Since when its suggestions are being computed again. */
  recomputingAt: Time.optional(),
  /** When a job has carried records by it. */
  acceptedAt: Time.optional(),
  acceptedBy: Id.optional(),
  createdBy: Id.optional(),
  createdAt: Time.optional(),
  updatedAt: Time.optional(),
})
export type Program = z.infer<typeof Program>

const Rules = z.array(MappingRuleConfig).max(RULES_PER_PROGRAM)
const sides = {
  source: maybe(SheetConfig),
  destination: maybe(SheetConfig),
  /** In place of `source`: the sheet's own fields, and some of its values are looked at. */
  sourceSheetId: maybe(scoped('sheet')),
  /** In place of `destination`; the program is about this sheet. */
  destinationSheetId: maybe(scoped('sheet')),
}
const named = {
  familyId: maybe(free('a name that programs of one kind share: nothing is looked up by it')),
  namespace: maybe(z.string().max(200)),
}

export const CreateProgram = z
  .object({
    ...sides,
    ...named,
    /** Keeps the program; otherwise its rules are answered and forgotten. */
    save: maybe(z.boolean()),
    /** They stand as they are; what they leave is suggested. */
    rules: maybe(Rules),
  })
  .superRefine((config, context) => {
    for (const side of ['source', 'destination'] as const)
      if (config[side] === undefined && config[`${side}SheetId`] === undefined)
        context.addIssue({ code: 'custom', path: [side], message: `is required, or ${side}SheetId` })
  })
export type CreateProgram = z.output<typeof CreateProgram>

export const UpdateProgram = z.object({
  ...sides,
  ...named,
  save: maybe(z.boolean()),
  /** In place of all it has. */
  rules: maybe(Rules),
})
export type UpdateProgram = z.output<typeof UpdateProgram>
