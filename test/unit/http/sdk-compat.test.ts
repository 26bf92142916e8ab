import { describe, expect, it } from 'vitest'
import { formatFor, toSdkShape } from '../../../lib/http/sdk-compat.ts'

describe('public SDK compatibility', () => {
  it('applies to callers that identify as the SDK', () => {
    const reply = { data: { operation: 'x', status: 'completed' } }
    expect(formatFor({ 'x-fern-sdk-name': '@flatfile/api' }, reply)).toMatchObject({ data: { status: 'complete' } })
    expect(formatFor({}, reply)).toBe(reply)
  })
  it('applies to the CLI, which does not identify itself, only for agent exports', () => {
    const job = (operation: string) => ({ data: { operation, status: 'completed' } })
    const axios = { 'user-agent': 'axios/1.7.9' }
    expect(formatFor(axios, job('agent-export'))).toMatchObject({ data: { status: 'complete' } })
    expect(formatFor({ 'user-agent': 'curl/8' }, job('agent-export'))).toMatchObject({ data: { status: 'completed' } })
    expect(formatFor(axios, job('other'))).toMatchObject({ data: { status: 'completed' } })
    expect(formatFor(axios, undefined)).toBeUndefined()
  })
  it('converts job status and guest authentication, but no user data', () => {
    const reply = {
      data: [{ operation: 'x', status: 'completed', input: { operation: 'y', status: 'completed' } }],
      space: { guestAuthentication: 'shared_link', metadata: { guestAuthentication: 'mine' } },
      file: { status: 'completed' },
    }
    expect(toSdkShape(reply)).toEqual({
      data: [{ operation: 'x', status: 'complete', input: { operation: 'y', status: 'completed' } }],
      space: { guestAuthentication: ['shared_link'], metadata: { guestAuthentication: 'mine' } },
      file: { status: 'completed' },
    })
  })
})
