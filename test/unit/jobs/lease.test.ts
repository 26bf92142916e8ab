import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { log } from '../../../lib/core/log.ts'
import type { NewJob } from '../../../lib/entities/jobs.ts'
import { Lease } from '../../../lib/jobs/run/lease.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a lease is renewed three times while it lasts, also after a failure, until the run ends', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
  const lease = new Lease({ id: 'us_jb_1' } as NewJob, { owner: 'run', leaseMs: 900 })
  const error = new Error('no table')
  const renew = vi.spyOn(lease, 'transition').mockRejectedValueOnce(error).mockResolvedValue()
  const stop = lease.keepRenewing()
  await vi.advanceTimersByTimeAsync(299)
  expect(renew).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(warn.mock.calls).toEqual([['Renewing a lease failed', { jobId: 'us_jb_1', error }]])
  await vi.advanceTimersByTimeAsync(600)
  expect(renew).toHaveBeenCalledTimes(3)
  expect(warn).toHaveBeenCalledTimes(1)
  stop()
  await vi.advanceTimersByTimeAsync(3000)
  expect(renew).toHaveBeenCalledTimes(3)
})
