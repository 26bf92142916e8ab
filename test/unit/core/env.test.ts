/** What cannot be is refused by its name, all of it at once. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { processEnv } from '../../../lib/core/env.ts'
import { recordsPerSheet } from '../../../lib/core/limits.ts'

beforeEach(() => {
  for (const name of ['RECORDS_PER_SHEET', 'BLOB_DDB_MAX', 'LOG_LEVEL']) vi.stubEnv(name, undefined)
})
afterEach(() => vi.unstubAllEnvs())

describe('the environment', () => {
  it.each(['a million', '-5', '0', '1.5', 'NaN', 'Infinity'])('refuses %s records a sheet by name', (text) => {
    vi.stubEnv('RECORDS_PER_SHEET', text)
    expect(recordsPerSheet).toThrow(/RECORDS_PER_SHEET/)
  })

  it('names everything that is wrong at once', () => {
    vi.stubEnv('RECORDS_PER_SHEET', 'many')
    vi.stubEnv('LOG_LEVEL', 'LOUD')
    vi.stubEnv('AWS_MAX_ATTEMPTS', '0')
    vi.stubEnv('AWS_ENDPOINT_URL', 'nowhere')
    for (const name of ['RECORDS_PER_SHEET', 'LOG_LEVEL', 'AWS_MAX_ATTEMPTS', 'AWS_ENDPOINT_URL'])
      expect(processEnv).toThrow(name)
  })

  it('takes what is set, and what stands there where nothing is', () => {
    expect(recordsPerSheet()).toBe(1_000_000)
    vi.stubEnv('RECORDS_PER_SHEET', '')
    expect(recordsPerSheet()).toBe(1_000_000)
    vi.stubEnv('RECORDS_PER_SHEET', '5000000')
    vi.stubEnv('BLOB_DDB_MAX', 'Infinity')
    vi.stubEnv('LOG_LEVEL', 'warn')
    expect(recordsPerSheet()).toBe(5_000_000)
    expect(processEnv()).toMatchObject({ BLOB_DDB_MAX: Number.POSITIVE_INFINITY, LOG_LEVEL: 'WARN' })
  })
})
