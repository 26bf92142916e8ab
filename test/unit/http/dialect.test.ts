import { describe, expect, it } from 'vitest'
import { speaksSdk, toSdk } from '../../../lib/http/dialect.ts'

describe('the dialect of the public SDK', () => {
  it('is spoken to callers that name themselves', () => {
    expect(speaksSdk({ 'x-fern-sdk-name': '@flatfile/api' })).toBe(true)
    expect(speaksSdk({})).toBe(false)
  })
  it('respells job status and guest authentication, and nothing users wrote', () => {
    const reply = {
      data: [{ operation: 'x', status: 'completed', input: { operation: 'y', status: 'completed' } }],
      space: { guestAuthentication: 'shared_link', metadata: { guestAuthentication: 'mine' } },
      file: { status: 'completed' },
    }
    expect(toSdk(reply)).toEqual({
      data: [{ operation: 'x', status: 'complete', input: { operation: 'y', status: 'completed' } }],
      space: { guestAuthentication: ['shared_link'], metadata: { guestAuthentication: 'mine' } },
      file: { status: 'completed' },
    })
  })
})
