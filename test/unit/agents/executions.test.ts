import { beforeEach, describe, expect, it } from 'vitest'
import type { InvocationRecord } from '../../../lib/agents/invocation-record.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'
import { createScope } from '../../support/auth-items.ts'

const cloud = await startAuthCloud()
const { recordRun } = await import('../../../lib/agents/executions.ts')
const { formatFunctionName } = await import('../../../lib/agents/names.ts')
const { getMonthlyUsage } = await import('../../../lib/entities/usage.ts')
const { newId } = await import('../../../lib/core/ids.ts')
const here = await createScope()
const NOW = Date.now()

function createRecord(report: object, condition = 'Success'): InvocationRecord {
  const { accountId, environmentId } = here
  const context = { accountId, environmentId }
  const createdAt = new Date(NOW).toISOString()
  const detail = { id: newId('event', NOW), topic: 'a:b', domain: 'a', context, payload: {}, createdAt }
  const requestContext = { functionArn: formatFunctionName('us_ag_1'), condition }
  const responsePayload = { success: true, duration: 40, startedAt: createdAt, ...report }
  return { timestamp: createdAt, requestContext, requestPayload: { detail }, responsePayload }
}

const getRuns = async () => {
  const { used } = await getMonthlyUsage(here, new Date(NOW).toISOString().slice(0, 7))
  return { runs: used.agentRuns, milliseconds: used.agentMilliseconds }
}

await recordRun(createRecord({}))
beforeEach(() => cloud.reset())

describe('recording of a run', () => {
  it('reads and writes once, and looks for secrets only in texts', async () => {
    await recordRun(createRecord({}))
    expect(cloud.requests).toEqual(['BatchGetItem', 'TransactWriteItems'])
    cloud.reset()
    await recordRun(createRecord({ log: 'said' }))
    expect(cloud.requests).toEqual(['Query', 'BatchGetItem', 'TransactWriteItems'])
    cloud.reset()
    await recordRun(createRecord({}, 'RetriesExhausted'))
    expect(cloud.requests).toEqual(['Query', 'BatchGetItem', 'TransactWriteItems'])
  })

  it('counts a repeated report once, and a replay of the event again', async () => {
    const before = await getRuns()
    const record = createRecord({})
    cloud.reset()
    await Promise.all([recordRun(record), recordRun(record)].map((recording) => recording.catch(() => {})))
    await recordRun(record)
    expect(await getRuns()).toEqual({ runs: before.runs + 1, milliseconds: before.milliseconds + 40 })
    const startedAt = new Date(NOW + 1000).toISOString()
    await recordRun({ ...record, responsePayload: { success: true, duration: 2, startedAt } })
    expect(await getRuns()).toEqual({ runs: before.runs + 2, milliseconds: before.milliseconds + 42 })
  })
})
