/** Every topic of the specification, caused over HTTP and compared field by field. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../schemas/events.ts'
import { topics } from '../../schemas/index.ts'
import { deviations, SPECIFIED } from '../contract/specified-events.ts'
import { tour } from '../support/tour.ts'

let events: Event[]
beforeAll(async () => {
  events = await tour()
})

const declared = topics.map(({ topic }) => topic)

describe('the event catalogue', () => {
  it.each(declared)('%s is told of as specified', (topic) => {
    const told = events.filter((event) => event.topic === topic)
    expect(told.length).toBeGreaterThan(0)
    expect(told.flatMap(deviations)).toEqual([])
  })

  it('knows when each topic is told of', () => {
    for (const topic of topics) expect(topic.when, topic.topic).toMatch(/\w+ \w+/)
  })

  it('has ids in order, and no event twice', () => {
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it("carries the namespace of the space it happened in; secrets are their environment's", () => {
    const isTour = ({ topic, payload }: Event) =>
      topic === 'space:created' && (payload as { name?: string }).name === 'Tour'
    const { spaceId } = events.find(isTour)!.context
    const inTour = events.filter(({ domain, context }) => context.spaceId === spaceId && domain !== 'secret')
    expect(inTour.length).toBeGreaterThan(60)
    const without = inTour.filter(({ namespaces }) => !namespaces?.includes('space:tour'))
    expect(without.map(({ topic }) => topic)).toEqual([])
  })

  it('tells of nothing that is not specified', () => {
    expect(events.map(({ topic }) => topic).filter((topic) => !(topic in SPECIFIED))).toEqual([])
  })
})
