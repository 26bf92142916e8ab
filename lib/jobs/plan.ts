/** What makes a plan of a mapping a plan. Pure. */
import type { Plan } from '../../schemas/mapping.ts'
import { invalidField } from '../core/errors.ts'

/** Throws 400 when two edges fill the same destination field: neither could be told to win. */
export function checkPlan(plan: Plan): void {
  const filled = new Set<string>()
  for (const [index, { destinationField }] of plan.fieldMapping.entries()) {
    if (filled.has(destinationField.key)) {
      throw invalidField(
        `fieldMapping.${index}.destinationField`,
        `another edge fills the field ${destinationField.key} already`,
      )
    }
    filled.add(destinationField.key)
  }
}
