/** What a mapping says: which source field fills which destination field, how sure that is, and how enum values translate. */
import * as z from 'zod'
import { scoped } from './ids.ts'
import { maybe } from './optional.ts'

/** Clients send back the properties they were given, with whatever they added: only what a mapping needs is asked for. */
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
  mapping: z.array(z.object({ sourceValue: maybe(EnumValue), destinationValue: maybe(EnumValue) })),
  unusedSourceValues: maybe(z.array(EnumValue)),
  unusedDestinationValues: maybe(z.array(EnumValue)),
})
export type EnumDetails = z.infer<typeof EnumDetails>

export const EdgeMetadata = z.looseObject({
  certainty: maybe(Certainty),
  /** From 0 to 1. */
  confidence: maybe(z.number().min(0).max(1)),
  source: maybe(z.string()),
  /** What separates the items of a list in one cell. */
  detectedDelimiter: maybe(z.string()),
})

/** One arrow of a mapping. */
export const Edge = z.object({
  sourceField: Property,
  destinationField: Property,
  preview: maybe(z.array(z.string())),
  enumDetails: maybe(EnumDetails),
  metadata: maybe(EdgeMetadata),
})
export type Edge = z.infer<typeof Edge>

export const SourceField = z.object({ sourceField: Property, preview: maybe(z.array(z.string())) })
export const DestinationField = z.object({ destinationField: Property, preview: maybe(z.array(z.string())) })

/** The plan of a mapping job: its arrows, and what is left over on both sides. */
export const Plan = z.object({
  fieldMapping: z.array(Edge),
  unmappedSourceFields: z.array(SourceField),
  unmappedDestinationFields: z.array(DestinationField),
  programId: maybe(scoped('program')),
})
export type Plan = z.infer<typeof Plan>

/** The plan of a job that maps nothing. */
export const EMPTY_PLAN: Plan = {
  fieldMapping: [],
  unmappedSourceFields: [],
  unmappedDestinationFields: [],
  programId: undefined,
}
