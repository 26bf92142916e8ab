/** Invalid variables are reported by name, all in one error. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { processEnv } from '../../../lib/core/env.ts'
import { getRecordsPerSheet } from '../../../lib/core/records-per-sheet.ts'

beforeEach(() => {
  for (const name of ['RECORDS_PER_SHEET', 'BLOB_DDB_MAX', 'LOG_LEVEL']) vi.stubEnv(name, undefined)
})
afterEach(() => vi.unstubAllEnvs())

describe('environment variables', () => {
  it.each(['a million', '-5', '0', '1.5', 'NaN', 'Infinity'])('reject %s records per sheet by name', (text) => {
    vi.stubEnv('RECORDS_PER_SHEET', text)
    expect(getRecordsPerSheet).toThrow(/RECORDS_PER_SHEET/)
  })

  it('report everything that is wrong in one error', () => {
    vi.stubEnv('RECORDS_PER_SHEET', 'many')
    vi.stubEnv('LOG_LEVEL', 'LOUD')
    vi.stubEnv('AWS_MAX_ATTEMPTS', '0')
    vi.stubEnv('AWS_ENDPOINT_URL', 'nowhere')
    for (const name of ['RECORDS_PER_SHEET', 'LOG_LEVEL', 'AWS_MAX_ATTEMPTS', 'AWS_ENDPOINT_URL'])
      expect(processEnv).toThrow(name)
  })

  it.each(['key', 'key=%FF', '=value'])('reject %s as headers of the collector', (text) => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', text)
    expect(processEnv).toThrow('OTEL_EXPORTER_OTLP_HEADERS: expected name=value')
  })

  it('use what is set, and defaults otherwise', () => {
    expect(getRecordsPerSheet()).toBe(10_000_000)
    vi.stubEnv('RECORDS_PER_SHEET', '')
    expect(getRecordsPerSheet()).toBe(10_000_000)
    vi.stubEnv('RECORDS_PER_SHEET', '5000000')
    vi.stubEnv('BLOB_DDB_MAX', 'Infinity')
    vi.stubEnv('LOG_LEVEL', 'warn')
    expect(getRecordsPerSheet()).toBe(5_000_000)
    expect(processEnv()).toMatchObject({ BLOB_DDB_MAX: Number.POSITIVE_INFINITY, LOG_LEVEL: 'WARN' })
  })
})
