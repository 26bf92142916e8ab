import { describe, expect, it } from 'vitest'
import { spelledFor, toSdk } from '../../../lib/http/dialect.ts'

describe('the dialect of the public SDK', () => {
  it('is spoken to callers that name themselves', () => {
    const reply = { data: { operation: 'x', status: 'completed' } }
    expect(spelledFor({ 'x-fern-sdk-name': '@flatfile/api' }, reply)).toMatchObject({ data: { status: 'complete' } })
    expect(spelledFor({}, reply)).toBe(reply)
  })
  it('is spoken to the command line, which does not name itself, about the export of an agent alone', () => {
    const job = (operation: string) => ({ data: { operation, status: 'completed' } })
    const axios = { 'user-agent': 'axios/1.7.9' }
    expect(spelledFor(axios, job('agent-export'))).toMatchObject({ data: { status: 'complete' } })
    expect(spelledFor({ 'user-agent': 'curl/8' }, job('agent-export'))).toMatchObject({ data: { status: 'completed' } })
    expect(spelledFor(axios, job('other'))).toMatchObject({ data: { status: 'completed' } })
    expect(spelledFor(axios, undefined)).toBeUndefined()
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
