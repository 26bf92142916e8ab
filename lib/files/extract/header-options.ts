import type { HeaderLineCounts } from '../../../schemas/jobs/operations.ts'

export const getHeaderLines = (lines: HeaderLineCounts | undefined, sheet?: string): number | undefined =>
  typeof lines !== 'object' ? lines : sheet !== undefined && Object.hasOwn(lines, sheet) ? lines[sheet] : undefined
