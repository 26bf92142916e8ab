import { expect, it } from 'vitest'
import { startAuthCloud } from '../../support/auth-cloud.ts'

await startAuthCloud()
const { TableUpdates } = await import('../../../lib/entities/table-updates.ts')
const { transact } = await import('../../../lib/table/transact.ts')

const IN_AN_HOUR = new Date(Date.now() + 3_600_000)
const IN_A_MINUTE = new Date(Date.now() + 60_000)

async function listDue(now: Date, sheetId: string): Promise<boolean> {
  for await (const sheetIds of TableUpdates.listDue(now)) if (sheetIds.includes(sheetId)) return true
  return false
}

async function claimUpdate(sheetId: string): Promise<string> {
  await transact([TableUpdates.request(sheetId)])
  return (await TableUpdates.claim(sheetId, new Date()))!
}

it('a postponed update is due later', async () => {
  const claim = await claimUpdate('us_sh_postponed')
  await TableUpdates.postpone('us_sh_postponed', claim, IN_AN_HOUR)
  expect(await listDue(IN_A_MINUTE, 'us_sh_postponed')).toBe(false)
  expect(await listDue(IN_AN_HOUR, 'us_sh_postponed')).toBe(true)
})

it('an update that was requested again after the claim is not postponed', async () => {
  const claim = await claimUpdate('us_sh_again')
  await transact([TableUpdates.request('us_sh_again')])
  await TableUpdates.postpone('us_sh_again', claim, IN_AN_HOUR)
  expect(await listDue(IN_A_MINUTE, 'us_sh_again')).toBe(true)
})
