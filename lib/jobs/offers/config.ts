/** Reads a job's configuration by its operation's declaration. */
import type * as z from 'zod'
import type { Operation } from '../../../schemas/operation.ts'
import { invalid } from '../../core/errors.ts'
import type { JobRequest } from './offer.ts'

type Declared<C extends z.ZodType> = Operation & { config: C }

/** The configuration. Throws 400 naming every member that does not fit. */
export function configOf<C extends z.ZodType>(operation: Declared<C>, job: JobRequest): z.output<C> {
  const result = operation.config.safeParse(job.config ?? {})
  if (result.success) return result.data
  throw invalid(
    result.error.issues.map(({ path, message }) => ({ key: ['config', ...path].map(String).join('.'), message })),
  )
}

/**
 * Is a job with this operation's name meant for the platform? When it says so (`managed`), or carries what the operation
 * needs; a listener's own operation may have the same name.
 */
export const isMeant = (operation: Operation, job: JobRequest): boolean =>
  job.managed === true || operation.config.safeParse(job.config ?? {}).success
