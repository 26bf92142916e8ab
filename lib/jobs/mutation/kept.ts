/**
 * Answers of slow calls, kept until the job has ended: a run that goes on where another had to stop, or died, asks the
 * function only for the records it was not asked for. They go by what was asked, so that nothing old is taken for new.
 */
import { createHash } from 'node:crypto'
import { deleteObject, getObject, listObjects, putObject } from '../../objects/store.ts'
import type { Answer, Call } from './call.ts'

/** Of a million records there are 200 calls: quicker ones are asked again as soon as read. */
const SLOW_MS = 1000
/** What a job leaves that never ends goes a day later (serverless.yml). */
const prefixOf = (jobId: string): string => `mutations/${jobId}/`

export class KeptAnswers {
  /** How many this run added. */
  added = 0
  readonly #prefix: string
  readonly #keys: Set<string>

  private constructor(prefix: string, keys: Set<string>) {
    this.#prefix = prefix
    this.#keys = keys
  }

  static async of(jobId: string): Promise<KeptAnswers> {
    const prefix = prefixOf(jobId)
    const keys = new Set<string>()
    for await (const { key } of listObjects(prefix)) keys.add(key)
    return new KeptAnswers(prefix, keys)
  }

  /** What was answered before, or is now; a failure is not kept. */
  async answerTo(call: Call, ask: (call: Call) => Promise<Answer>): Promise<Answer> {
    const before = this.#keys.size > 0 ? this.#keyOf(call) : undefined
    if (before !== undefined && this.#keys.has(before)) return { changes: (await getObject(before)).toString('utf8') }
    const began = Date.now()
    const answer = await ask(call)
    if ('failed' in answer || Date.now() - began < SLOW_MS) return answer
    const key = before ?? this.#keyOf(call)
    await putObject(key, answer.changes)
    this.#keys.add(key)
    this.added++
    return answer
  }

  async forget(): Promise<void> {
    await Promise.all([...this.#keys].map(deleteObject))
  }

  #keyOf({ program, ids, columns }: Call): string {
    return (
      this.#prefix +
      createHash('sha256')
        .update(JSON.stringify([program, ids, columns]))
        .digest('base64url')
    )
  }
}
