import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/core/ids.ts'
import { firstIdAt, timeOfEventId } from '../../../lib/events/ids.ts'
import { eventQuery } from '../../../lib/events/list.ts'

describe('a moment as an id', () => {
  it('parts the ids made before it from those made then or later', () => {
    const moments = fc.integer({ min: 0, max: 2 ** 47 })
    fc.assert(
      fc.property(moments, moments, (at, made) => {
        // newId never goes back in time within a process, so the id's own time counts.
        const id = newId('event', made)
        expect(id >= firstIdAt(new Date(at))).toBe(timeOfEventId(id)! >= at)
      }),
    )
    expect(firstIdAt(new Date(-5)) <= newId('event', 0)).toBe(true)
  })

  it('is undefined for what is no event id', () => {
    expect(timeOfEventId('us_sp_01J9ZZZZZZZZZZZZZZZZZZZZZZ')).toBeUndefined()
    expect(timeOfEventId('us_evt_short')).toBeUndefined()
  })
})

describe('the query of a list', () => {
  it('asks for one environment, hides acknowledged events, and nothing else', () => {
    expect(eventQuery({ environmentId: 'us_env_1' }, {})).toEqual({
      IndexName: 'gsi1',
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': 'gsi1pk' },
      ExpressionAttributeValues: { ':list': 'us_env_1#event' },
      FilterExpression: 'attribute_not_exists(acknowledgedAt)',
    })
  })

  it('turns `since` into a bound of the key, so that earlier events are not even read', () => {
    const query = eventQuery(
      { spaceId: 'us_sp_1' },
      { since: '2026-01-01T01:00:00+01:00', topic: 'a:b', domain: 'a', includeAcknowledged: true },
    )
    expect(query).toMatchObject({
      IndexName: 'gsi2',
      KeyConditionExpression: '#list = :list AND #id >= :from',
      FilterExpression: '#createdAt >= :createdAt AND #topic = :topic AND #domain = :domain',
    })
    expect(query.ExpressionAttributeValues).toMatchObject({
      ':from': firstIdAt(new Date('2026-01-01T00:00:00Z')),
      ':createdAt': '2026-01-01T00:00:00.000Z',
    })
  })

  it('has no filter at all when everything is asked for', () => {
    expect(eventQuery({ spaceId: 's' }, { includeAcknowledged: true })).not.toHaveProperty('FilterExpression')
  })
})
