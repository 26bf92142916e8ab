/** Parses a job's configuration by the declaration of its operation. */
import type * as z from 'zod'
import type { Operation } from '../../../schemas/operation.ts'
import { invalid } from '../../core/errors.ts'
import type { JobRequest } from './definition.ts'

type OperationWithConfig<C extends z.ZodType> = Operation & { config: C }

export function parseConfig<C extends z.ZodType>(operation: OperationWithConfig<C>, job: JobRequest): z.output<C> {
  const result = operation.config.safeParse(job.config ?? {})
  if (result.success) return result.data
  throw invalid(
    result.error.issues.map(({ path, message }) => ({ key: ['config', ...path].map(String).join('.'), message })),
  )
}

/**
 * A listener can have an operation of the same name. The platform runs the job if it is `managed` or its configuration
 * fits.
 */
export const isPlatformOperation = (operation: Operation, job: JobRequest): boolean =>
  job.managed === true || operation.config.safeParse(job.config ?? {}).success
