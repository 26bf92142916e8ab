import * as z from 'zod'
import type { CreateJob } from '../../../schemas/jobs/shape.ts'
import type { Operation } from '../../../schemas/kit/operation.ts'
import { invalid } from '../../core/errors.ts'

export type JobRequest = Pick<CreateJob, 'type' | 'operation' | 'source'> &
  Partial<Pick<CreateJob, 'config' | 'input' | 'managed' | 'fileId'>> & { automaticRecipeId?: string | undefined }

type OperationWithConfig<C extends z.ZodType> = Operation & { config: C }

export function parseConfig<C extends z.ZodType>(operation: OperationWithConfig<C>, job: JobRequest): z.output<C> {
  const result = operation.config.safeParse(job.config ?? {})
  if (result.success) return result.data
  throw invalid(
    result.error.issues.map(({ path, message }) => ({ key: ['config', ...path].map(String).join('.'), message })),
  )
}

/** Options of a job's config, or of its input if the config has none: the public SDK drops unknown members of a config. */
export function parseOptions<S extends z.ZodRawShape>(
  { config, input }: JobRequest,
  options: S,
): { place: 'config' | 'input'; options: z.output<z.ZodObject<S>> } {
  const hasOptions = (values: JobRequest['config']): boolean =>
    Object.keys(options).some((name) => values?.[name] != null)
  const place = hasOptions(config) || !hasOptions(input) ? 'config' : 'input'
  const parsed = z.object(options).safeParse((place === 'config' ? config : input) ?? {})
  if (parsed.success) return { place, options: parsed.data }
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ key: [place, ...path].join('.'), message })))
}
