import type { Problem } from '../../schemas/kit/error-codes.ts'
import { toRule } from '../../schemas/sheets/rules.ts'
import type { SheetConfig } from '../../schemas/sheets/shape.ts'
import { invalid } from '../core/errors.ts'
import { lazy } from '../core/lazy.ts'

const loadRecords = lazy(() => import('../records/index.ts'))

type Path = readonly (string | number)[]
type Configured = Pick<SheetConfig, 'fields'> & Partial<Pick<SheetConfig, 'constraints'>>

const hasRules = ({ fields, constraints }: Configured): boolean =>
  [...(constraints ?? []), ...fields.flatMap((field) => field.constraints ?? [])].some(toRule)

/** @throws ApiError invalid with all problems of all sheets */
export async function assertRules(
  sheets: readonly Configured[],
  formatKey: (sheet: number, path: Path) => string = (sheet, path) => ['sheets', sheet, ...path].join('.'),
): Promise<void> {
  const problems: Problem[] = []
  for (const [index, sheet] of sheets.entries()) {
    if (!hasRules(sheet)) continue
    const { findRuleProblems } = await loadRecords()
    for (const { path, message } of await findRuleProblems(sheet))
      problems.push({ key: formatKey(index, path), message })
  }
  if (problems.length) throw invalid(problems)
}
