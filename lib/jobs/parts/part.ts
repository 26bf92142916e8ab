import type { RangeRequest } from '../../files/extract/divided.ts'

/** A share of a job that one function works on. JSON. */
export type Part = { store: RangeRequest }
