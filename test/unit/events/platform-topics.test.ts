import { describe, expect, it } from 'vitest'
import { formatListenerResource, LISTENERS } from '../../../lib/events/audience.ts'
import { isForPlatform } from '../../../lib/events/platform-topics.ts'
import { readStack } from '../../../packages/local-cloud/src/stack.ts'
import { topics } from '../../../schemas/index.ts'

interface Pattern {
  'detail-type'?: string[]
  resources?: string[]
  detail?: { context: { $or: Record<string, unknown>[] } }
}

const { functions } = readStack({ root: process.cwd(), secret: 'x'.repeat(32), apiUrl: 'http://127.0.0.1/api' })
const patterns = functions.flatMap(({ key, rules }) =>
  rules.flatMap(({ pattern }) => (pattern ? [{ key, pattern: pattern as Pattern }] : [])),
)
const context = { accountId: 'us_acc_1', environmentId: 'us_env_1' }

describe('the rules of the platform', () => {
  it('match events by listener, or topics that are put on the bus', () => {
    for (const { key, pattern } of patterns) {
      if (pattern.resources) {
        expect(LISTENERS.map(formatListenerResource), key).toContain(pattern.resources[0])
        continue
      }
      const keys = pattern.detail?.context.$or.flatMap(Object.keys) ?? ['none']
      for (const topic of pattern['detail-type']!)
        for (const name of keys)
          expect(isForPlatform({ topic, context: { ...context, [name]: ['us_jb_1'] } }), `${key}: ${topic}`).toBe(true)
    }
  })

  it('need no other events', () => {
    const matched = new Set(patterns.flatMap(({ pattern }) => pattern['detail-type'] ?? []))
    for (const { topic } of topics) if (isForPlatform({ topic, context })) expect([...matched], topic).toContain(topic)
    for (const topic of ['records:updated', 'commit:created', 'sheet:counts-updated', 'job:updated'])
      expect(isForPlatform({ topic, context }), topic).toBe(false)
  })
})
