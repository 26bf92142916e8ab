/** Redacts secrets in logs, in all common encodings. */
import { expect, it } from 'vitest'
import { redact } from '../../../lib/agents/runtime/redact.ts'

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
])('redacts a secret %s', (_, form) => {
  expect(redact(`before ${form} after`, [SECRET])).toMatch(/^before "?\[redacted\]=*"? after$/)
})

it('redacts values with half a character, and leaves other text unchanged', () => {
  expect(redact('nothing here', ['secret\ud800'])).toBe('nothing here')
})
