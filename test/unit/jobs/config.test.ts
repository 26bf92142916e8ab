import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../../lib/core/errors.ts'
import { excludeExceptions } from '../../../lib/jobs/operations/workbook-delete-records.ts'
import { type JobRequest, parseConfig } from '../../../lib/jobs/request/config.ts'
import * as contracts from '../../../schemas/jobs/operations.ts'

const job = (config?: JobRequest['config']): JobRequest => ({
  ...{ type: 'workbook', operation: 'delete-records', source: 'us_wb_1' },
  ...(config ? { config } : {}),
})

function getProblems(config?: JobRequest['config']) {
  try {
    return parseConfig(contracts.deleteRecords, job(config))
  } catch (error) {
    const { status, problems } = error as ApiError
    return [status, ...problems.map(({ key }) => key)]
  }
}

describe('the config of a job', () => {
  it('is parsed by the contract of its operation', () => {
    expect(getProblems({ sheet: 'us_sh_1', filter: 'error' })).toMatchObject({ sheet: 'us_sh_1', filter: 'error' })
  })

  it('is rejected with the path of every problem', () => {
    expect(getProblems({ filter: 'unknown', ids: ['us_rc_1', 7] })).toEqual([
      ...[400, 'config.sheet', 'config.filter', 'config.ids.1'],
    ])
  })

  it('is empty if the job has none', () => expect(getProblems()).toEqual([400, 'config.sheet']))
})

describe('records to delete', () => {
  it('are those that are listed, without the exceptions', () => {
    expect(excludeExceptions({}, undefined, ['a', 'b'])).toEqual(['a', 'b'])
    expect(excludeExceptions({}, ['a'], ['a', 'b'])).toEqual(['b'])
  })

  it.each([{ filter: 'error' as const }, { search: { value: 'x' } }, { q: 'name eq Ada' }])(
    'are those that %o selects, except the listed ones',
    (selection) => {
      expect(excludeExceptions(selection, ['a'], ['b'])).toEqual({ filter: 'all', ...selection, ids: ['a', 'b'] })
      expect(excludeExceptions(selection, undefined, undefined)).toEqual({ filter: 'all', ...selection, ids: [] })
    },
  )

  it('are all if nothing limits them', () => {
    expect(excludeExceptions({}, ['a'], undefined)).toEqual({ filter: 'all', ids: ['a'] })
  })
})
