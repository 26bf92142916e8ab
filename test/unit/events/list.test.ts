import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/core/ids.ts'
import { firstIdAt, parseEventTime } from '../../../lib/events/id-time.ts'
import { buildEventQuery } from '../../../lib/events/list.ts'

describe('id bound of a time', () => {
  it('separates ids created before it from those created at or after it', () => {
    const moments = fc.integer({ min: 0, max: 2 ** 47 })
    fc.assert(
      fc.property(moments, moments, (at, made) => {
        const id = newId('event', made)
        expect(id >= firstIdAt(new Date(at))).toBe(parseEventTime(id)! >= at)
      }),
    )
    expect(firstIdAt(new Date(-5)) <= newId('event', 0)).toBe(true)
  })

  it('is undefined for a string that is not an event id', () => {
    expect(parseEventTime('us_sp_01J9ZZZZZZZZZZZZZZZZZZZZZZ')).toBeUndefined()
    expect(parseEventTime('us_evt_short')).toBeUndefined()
  })
})

describe('list query', () => {
  it('filters by environment and hides acknowledged events, nothing else', () => {
    expect(buildEventQuery({ environmentId: 'us_env_1' }, {})).toEqual({
      IndexName: 'gsi1',
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': 'gsi1pk' },
      ExpressionAttributeValues: { ':list': 'us_env_1#event' },
      FilterExpression: '(attribute_not_exists(acknowledgedAt)) OR attribute_exists(grouped)',
      ScanIndexForward: true,
    })
  })

  it('turns `since` into a key bound, so that earlier events are not read', () => {
    const query = buildEventQuery(
      { spaceId: 'us_sp_1' },
      { since: '2026-01-01T01:00:00+01:00', topic: 'a:b', domain: 'a', includeAcknowledged: true },
    )
    expect(query).toMatchObject({
      IndexName: 'gsi2',
      KeyConditionExpression: '#list = :list AND #id BETWEEN :from AND :to',
      FilterExpression: '(topic = :topic AND begins_with(topic, :domain)) OR attribute_exists(grouped)',
    })
    expect(query.ExpressionAttributeValues).toMatchObject({
      ':from': firstIdAt(new Date('2026-01-01T00:00:00Z')),
      ':topic': 'a:b',
      ':domain': 'a:',
    })
  })

  it('has no filter when everything is requested', () => {
    expect(buildEventQuery({ spaceId: 's' }, { includeAcknowledged: true })).not.toHaveProperty('FilterExpression')
  })
})
