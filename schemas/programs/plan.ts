/** Schemas of a mapping: field pairs, their confidence, and translations of enum values. */
import * as z from 'zod'
import { scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { OtherLines } from './other-lines.ts'
import { ReadingQuestion } from './readings.ts'
import { UsedRecipe } from './recipe.ts'

/** Clients send properties back with their additions, so only what a mapping needs is required. */
export const Property = z.looseObject({
  key: z.string().min(1),
  type: z.string().optional(),
  label: z.string().nullish(),
})
export type Property = z.infer<typeof Property>

export const CERTAINTIES = ['absolute', 'strong', 'moderate', 'weak'] as const
export const Certainty = z.enum(CERTAINTIES)
export type Certainty = z.infer<typeof Certainty>

export const EnumValue = z.union([z.string(), z.number(), z.boolean()])
export type EnumValue = z.infer<typeof EnumValue>

export const EnumDetails = z.object({
  mapping: z.array(z.object({ sourceValue: nullish(EnumValue), destinationValue: nullish(EnumValue) })),
  unusedSourceValues: nullish(z.array(EnumValue)),
  unusedDestinationValues: nullish(z.array(EnumValue)),
})
export type EnumDetails = z.infer<typeof EnumDetails>

export const EdgeMetadata = z.looseObject({
  certainty: nullish(Certainty),
  confidence: nullish(z.number().min(0).max(1)),
  source: nullish(z.string()),
  detectedDelimiter: nullish(z.string()),
  question: ReadingQuestion.optional(),
})

export const Edge = z.object({
  sourceField: Property,
  destinationField: Property,
  preview: nullish(z.array(z.string())),
  enumDetails: nullish(EnumDetails),
  metadata: nullish(EdgeMetadata),
})
export type Edge = z.infer<typeof Edge>

export const SourceField = z.object({ sourceField: Property, preview: nullish(z.array(z.string())) })
export const DestinationField = z.object({ destinationField: Property, preview: nullish(z.array(z.string())) })

export const Plan = z.object({
  fieldMapping: z.array(Edge),
  unmappedSourceFields: z.array(SourceField),
  unmappedDestinationFields: z.array(DestinationField),
  programId: nullish(scoped('program')),
  recipe: UsedRecipe.optional(),
  otherLines: OtherLines.optional(),
})
export type Plan = z.infer<typeof Plan>

export const EMPTY_PLAN: Plan = {
  fieldMapping: [],
  unmappedSourceFields: [],
  unmappedDestinationFields: [],
  programId: undefined,
}
