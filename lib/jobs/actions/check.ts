/** A job that is created for an action must be as the action asks. */

import type { Resource } from '../../auth/scopes.ts'
import { ApiError } from '../../core/errors.ts'
import { constraintProblems } from './constraints.ts'
import { actionFor, type Request } from './find.ts'
import { inputProblems, withDefaults } from './input.ts'

/**
 * The job's input, with the defaults of the action's form.
 * @throws ApiError invalid naming every input that does not fit, unprocessable naming every constraint that does not hold
 */
export async function checkedInput(resource: Resource, job: Request): Promise<Request['input']> {
  const action = await actionFor(resource, job)
  if (!action) return job.input
  const fields = action.inputForm?.fields ?? []
  const input = withDefaults(fields, job.input)
  const wrong = inputProblems(fields, input)
  if (wrong.length > 0) throw new ApiError('invalid', wrong)
  const unmet = await constraintProblems(action, resource, job)
  if (unmet.length > 0) throw new ApiError('unprocessable', unmet)
  return fields.length > 0 ? input : job.input
}
