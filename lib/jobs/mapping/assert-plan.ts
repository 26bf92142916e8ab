import { message } from '../../../schemas/messages/index.ts'
import type { Plan } from '../../../schemas/programs/plan.ts'
import { invalidField } from '../../core/errors.ts'

export function assertPlan(plan: Plan): void {
  const filledKeys = new Set<string>()
  for (const [index, { destinationField }] of plan.fieldMapping.entries()) {
    if (filledKeys.has(destinationField.key)) {
      throw invalidField(
        `fieldMapping.${index}.destinationField`,
        message('mappings.edgeFillsField', { field: destinationField.key }),
      )
    }
    filledKeys.add(destinationField.key)
  }
}
