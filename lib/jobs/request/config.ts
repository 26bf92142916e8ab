/** A job as it is requested, and its configuration, parsed by the contract of its operation. */
import type * as z from 'zod'
import type { CreateJob } from '../../../schemas/jobs/shape.ts'
import type { Operation } from '../../../schemas/kit/operation.ts'
import { invalid } from '../../core/errors.ts'

export type JobRequest = Pick<CreateJob, 'type' | 'operation' | 'source'> &
  Partial<Pick<CreateJob, 'config' | 'input' | 'managed' | 'fileId'>>

type OperationWithConfig<C extends z.ZodType> = Operation & { config: C }

export function parseConfig<C extends z.ZodType>(operation: OperationWithConfig<C>, job: JobRequest): z.output<C> {
  const result = operation.config.safeParse(job.config ?? {})
  if (result.success) return result.data
  throw invalid(
    result.error.issues.map(({ path, message }) => ({ key: ['config', ...path].map(String).join('.'), message })),
  )
}
