/** Which secrets of a webhook are valid after a rotation, and until when. */
import { describe, expect, it } from 'vitest'
import { rotated } from '../../../lib/webhooks/secrets.ts'

const NOW = new Date('2026-01-02T03:00:00.000Z')
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString()
const HOUR = 3600
const DAY = 24 * HOUR

describe('rotating the secret of a webhook', () => {
  it('keeps the one before valid for the overlap', () => {
    expect(rotated([{ sealed: 'first' }], 'second', HOUR, NOW)).toEqual([
      { sealed: 'second' },
      { sealed: 'first', until: inSeconds(HOUR) },
    ])
  })

  it('never prolongs a secret that was to end earlier', () => {
    const secrets = rotated([{ sealed: 'first' }], 'second', HOUR, NOW)
    const again = rotated(secrets, 'third', DAY, new Date(NOW.getTime() + 1000))
    expect(again).toEqual([
      { sealed: 'third' },
      { sealed: 'second', until: inSeconds(DAY + 1) },
      { sealed: 'first', until: inSeconds(HOUR) },
    ])
  })

  it('ends all others at once without an overlap, and drops those that have ended', () => {
    const secrets = rotated([{ sealed: 'first' }], 'second', HOUR, NOW)
    expect(rotated(secrets, 'third', 0, NOW)).toEqual([{ sealed: 'third' }])
    const later = new Date(NOW.getTime() + 2 * HOUR * 1000)
    expect(rotated(secrets, 'third', HOUR, later).map(({ sealed }) => sealed)).toEqual(['third', 'second'])
  })
})
