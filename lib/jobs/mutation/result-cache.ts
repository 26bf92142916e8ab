/** Caches results of slow calls by a hash of their input, until the job ends, for a run that continues another one. */
import { createHash } from 'node:crypto'
import { deleteObject, getObject, listObjects, putObject } from '../../objects/store.ts'
import type { MutationCall, MutationResult } from './call.ts'

/** A million records take 100 calls. Faster ones are cheaper to repeat than to cache. */
const SLOW_MS = 1000
/** Results of jobs that never end expire after a day (serverless.yml). */
const buildPrefix = (jobId: string): string => `mutations/${jobId}/`

const describeColumn = ([field, values]: MutationCall['columns'][number]) => [field, values?.length]

export class ResultCache {
  addedCount = 0
  readonly #prefix: string
  readonly #keys: Set<string>

  private constructor(prefix: string, keys: Set<string>) {
    this.#prefix = prefix
    this.#keys = keys
  }

  static async load(jobId: string): Promise<ResultCache> {
    const prefix = buildPrefix(jobId)
    const keys = new Set<string>()
    for await (const { key } of listObjects(prefix)) keys.add(key)
    return new ResultCache(prefix, keys)
  }

  async getOrEvaluate(
    call: MutationCall,
    evaluate: (call: MutationCall) => Promise<MutationResult>,
  ): Promise<MutationResult> {
    const existingKey = this.#keys.size > 0 ? this.#buildKey(call) : undefined
    if (existingKey !== undefined && this.#keys.has(existingKey))
      return JSON.parse((await getObject(existingKey)).toString('utf8')) as MutationResult
    const startedAt = Date.now()
    const result = await evaluate(call)
    if ('failed' in result || Date.now() - startedAt < SLOW_MS) return result
    const key = existingKey ?? this.#buildKey(call)
    await putObject(key, JSON.stringify(result))
    this.#keys.add(key)
    this.addedCount++
    return result
  }

  async clear(): Promise<void> {
    await Promise.all([...this.#keys].map(deleteObject))
  }

  #buildKey({ program, idRanges, columns }: MutationCall): string {
    const hash = createHash('sha256').update(JSON.stringify([program, idRanges, columns.map(describeColumn)]))
    for (const [, values] of columns) if (values !== null) hash.update(values)
    return this.#prefix + hash.digest('base64url')
  }
}
