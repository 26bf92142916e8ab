/** Secrets do not stay in logs, in the forms programs commonly write them in. */
import { expect, it } from 'vitest'
import { redacted } from '../../../lib/agents/runtime/redact.ts'

const SECRET = 'p4ss/wörd "x" & more'

it.each([
  ['as it is', SECRET],
  ['as JSON', JSON.stringify(SECRET)],
  ['in an address', encodeURIComponent(SECRET)],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ['in hex', Buffer.from(SECRET).toString('hex')],
  ['in upper-case hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['reversed', Array.from(SECRET).reverse().join('')],
])('takes out a secret %s', (_, form) => {
  expect(redacted(`before ${form} after`, [SECRET])).toMatch(/^before "?\[redacted\]=*"? after$/)
})

it('takes values with half a character, and leaves other text', () => {
  expect(redacted('nothing here', ['secret\ud800'])).toBe('nothing here')
})
