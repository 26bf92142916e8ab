/** Paging and query values: numbers, booleans and lists arrive as text. */

import * as z from 'zod'
import { message } from '../messages/index.ts'

export const Pagination = z.object({
  currentPage: z.number().int(),
  pageCount: z.number().int(),
  totalCount: z.number().int(),
})
export type Pagination = z.infer<typeof Pagination>

export interface PageRequest {
  pageSize: number
  pageNumber: number
}

const numberText = z
  .string()
  .regex(/^-?\d+$/, message('shape.wholeNumber'))
  .transform(Number)

export const QueryNumber = (min: number, max: number) => numberText.pipe(z.number().int().min(min).max(max))
export const QueryBoolean = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .pipe(z.boolean())
export const QueryList = (max: number) =>
  z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(z.string()).max(max))

export const pageQuery = (defaultSize: number, maxSize = 1000) => ({
  pageSize: QueryNumber(1, maxSize).default(defaultSize),
  pageNumber: QueryNumber(1, 1_000_000).default(1),
})

export const data = <T extends z.ZodType>(shape: T) => z.object({ data: shape })
export const list = <T extends z.ZodType>(shape: T) => z.object({ data: z.array(shape) })
export const paged = <T extends z.ZodType>(shape: T) => z.object({ data: z.array(shape), pagination: Pagination })
export const Success = z.object({ data: z.object({ success: z.literal(true) }) })
export const success = { data: { success: true } } as const
