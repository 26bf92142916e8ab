import { describe, expect, it } from 'vitest'
import {
  deriveExecutionId,
  getExecutionIdRange,
  InvocationRecord,
  parseInvocationRecord,
} from '../../../lib/agents/invocation-record.ts'
import { REPORT_MARK } from '../../../lib/agents/runtime/report.ts'
import { newId } from '../../../lib/core/ids.ts'

const AT = Date.parse('2026-01-01T00:00:00.000Z')
const event = {
  id: newId('event', AT),
  topic: 'a:b',
  domain: 'a',
  context: { accountId: 'us_acc_1', environmentId: 'us_env_1', spaceId: 'us_sp_1' },
  payload: { secret: 'not kept' },
  createdAt: '2026-01-01T00:00:00.000Z',
}
const report = {
  success: true,
  log: 'said',
  startedAt: '2026-01-01T00:00:00.250Z',
  duration: 40,
  memory: 1,
  requestCount: 2,
  requestTime: 3,
}
const createRecord = (condition: string, responsePayload: unknown, attempts = 1) =>
  InvocationRecord.parse({
    version: '1.0',
    timestamp: '2026-01-01T00:00:01.000Z',
    requestContext: {
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:x:$LATEST',
      condition,
      approximateInvokeCount: attempts,
    },
    requestPayload: { 'detail-type': 'a:b', detail: event },
    responsePayload,
  })

describe('finished run', () => {
  it('stores the report of its process on success', () => {
    const { execution, log } = parseInvocationRecord(createRecord('Success', report), 'us_ag_1')
    expect(execution).toMatchObject({
      success: true,
      eventId: event.id,
      spaceId: 'us_sp_1',
      queueLag: 250,
      duration: 40,
      completedAt: '2026-01-01T00:00:00.290Z',
      requestCount: 2,
      expires: AT / 1000 + 1 + 30 * 86_400,
    })
    expect(log).toBe('said')
    expect(JSON.stringify(execution)).not.toContain('not kept')
  })

  it('stores its error and the log from the end of the trace on failure', () => {
    const failure = {
      errorType: 'TypeError',
      errorMessage: 'x is not a function',
      trace: ['TypeError', `${REPORT_MARK}${JSON.stringify(report)}`],
    }
    const { execution, log } = parseInvocationRecord(createRecord('RetriesExhausted', failure, 3), 'us_ag_1')
    expect(execution).toMatchObject({
      success: false,
      error: 'TypeError: x is not a function',
      attempts: 3,
      duration: 40,
    })
    expect(log).toBe('said')
  })

  it.each([
    [
      'a timeout',
      { errorMessage: 'Task timed out after 900.00 seconds' },
      'Error: Task timed out after 900.00 seconds',
    ],
    ['a torn report', { errorType: 'E', errorMessage: 'm', trace: [`${REPORT_MARK}{"log":`] }, 'E: m'],
    ['no answer', undefined, 'The function could not be called: RetriesExhausted.'],
    ['nonsense', 'text', 'The function could not be called: RetriesExhausted.'],
  ])('is recorded with what is known after %s', (_what, payload, error) => {
    const { execution, log } = parseInvocationRecord(createRecord('RetriesExhausted', payload, 3), 'us_ag_1')
    expect(execution).toMatchObject({ success: false, error, duration: 0, completedAt: '2026-01-01T00:00:01.000Z' })
    expect(log).toBe(error)
  })

  it('ignores invalid numbers and strings in the report', () => {
    const { execution } = parseInvocationRecord(
      createRecord('Success', { ...report, duration: -5, requestCount: 'many', startedAt: 'yesterday' }),
      'us_ag_1',
    )
    expect(execution).toMatchObject({ duration: 0, requestCount: 0, createdAt: event.createdAt })
  })

  it('reports an event that became too old', () => {
    expect(parseInvocationRecord(createRecord('EventAgeExceeded', undefined), 'us_ag_1').execution.error).toMatch(
      /expired/,
    )
  })
})

describe('run id', () => {
  it('is the same for every report, differs by agent and event, and lies within the bounds of its event', () => {
    const id = deriveExecutionId('us_ag_1', event)
    expect(deriveExecutionId('us_ag_1', { ...event })).toBe(id)
    expect(deriveExecutionId('us_ag_2', event)).not.toBe(id)
    const { after, before } = getExecutionIdRange(event)
    for (const agent of ['us_ag_1', 'us_ag_2', 'us_ag_3']) {
      expect(deriveExecutionId(agent, event) > after && deriveExecutionId(agent, event) < before).toBe(true)
      const later = { id: newId('event', AT + 1), createdAt: '' }
      expect(deriveExecutionId(agent, later) > before).toBe(true)
    }
  })
})
