import type { Resource } from '../../auth/load-resource.ts'
import { ApiError } from '../../core/errors.ts'
import { checkConstraints } from './constraints.ts'
import { validateInput, withDefaults } from './input.ts'
import { type ActionRequest, findAction } from './resolve-action.ts'

/** @throws ApiError invalid naming every invalid input, unprocessable naming every failed constraint */
export async function validateActionInput(resource: Resource, job: ActionRequest): Promise<ActionRequest['input']> {
  const action = await findAction(resource, job)
  if (!action) return job.input
  const fields = action.inputForm?.fields ?? []
  const input = withDefaults(fields, job.input)
  const inputErrors = validateInput(fields, input)
  if (inputErrors.length > 0) throw new ApiError('invalid', inputErrors)
  const failedConstraints = await checkConstraints(action, resource, job)
  if (failedConstraints.length > 0) throw new ApiError('unprocessable', failedConstraints)
  return fields.length > 0 ? input : job.input
}
