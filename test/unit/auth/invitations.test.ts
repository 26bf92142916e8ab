import { describe, expect, it, vi } from 'vitest'
import { startAuthCloud } from '../../support/auth-cloud.ts'

await startAuthCloud()
const { redeemLink } = await import('../../../lib/auth/invitations.ts')
const { log } = await import('../../../lib/core/log.ts')
const { Spaces } = await import('../../../lib/entities/spaces.ts')

describe('a request for a magic link', () => {
  const request = { email: 'someone@example.com', spaceId: 'us_sp_none', token: undefined }
  const response = { valid: true, sentTo: request.email }

  it('logs nothing for unknown spaces', async () => {
    const logError = vi.spyOn(log, 'error')
    expect(await redeemLink(request)).toEqual(response)
    expect(logError).not.toHaveBeenCalled()
  })

  it('does not tell that sending failed, but logs why', async () => {
    const logError = vi.spyOn(log, 'error')
    const error = new Error('The table does not respond')
    vi.spyOn(Spaces, 'get').mockRejectedValueOnce(error)
    expect(await redeemLink(request)).toEqual(response)
    expect(logError.mock.calls).toEqual([['Failed to send a magic link', { error }]])
  })
})
