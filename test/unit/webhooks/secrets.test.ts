/** Validity of the secrets of a webhook after a rotation. */
import { describe, expect, it } from 'vitest'
import { rotateSecrets } from '../../../lib/webhooks/secrets.ts'

const NOW = new Date('2026-01-02T03:00:00.000Z')
const addSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString()
const HOUR = 3600
const DAY = 24 * HOUR

describe('rotating the secret of a webhook', () => {
  it('keeps the previous one valid for the overlap', () => {
    expect(rotateSecrets([{ sealed: 'first' }], 'second', HOUR, NOW)).toEqual([
      { sealed: 'second' },
      { sealed: 'first', until: addSeconds(HOUR) },
    ])
  })

  it('never extends a secret that would end earlier', () => {
    const secrets = rotateSecrets([{ sealed: 'first' }], 'second', HOUR, NOW)
    const again = rotateSecrets(secrets, 'third', DAY, new Date(NOW.getTime() + 1000))
    expect(again).toEqual([
      { sealed: 'third' },
      { sealed: 'second', until: addSeconds(DAY + 1) },
      { sealed: 'first', until: addSeconds(HOUR) },
    ])
  })

  it('ends all others immediately without an overlap, and drops expired ones', () => {
    const secrets = rotateSecrets([{ sealed: 'first' }], 'second', HOUR, NOW)
    expect(rotateSecrets(secrets, 'third', 0, NOW)).toEqual([{ sealed: 'third' }])
    const later = new Date(NOW.getTime() + 2 * HOUR * 1000)
    expect(rotateSecrets(secrets, 'third', HOUR, later).map(({ sealed }) => sealed)).toEqual(['third', 'second'])
  })
})
