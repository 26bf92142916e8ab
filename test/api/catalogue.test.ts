/** Triggers every topic of the specification over HTTP and compares it field by field. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../schemas/events/shape.ts'
import { topics } from '../../schemas/index.ts'
import { findDeviations, SPECIFIED } from '../contract/specified-events.ts'
import { runTour } from '../support/tour.ts'

let events: Event[]
beforeAll(async () => {
  events = await runTour()
})

const declared = topics.map(({ topic }) => topic)

describe('the event catalogue', () => {
  it.each(declared)('%s is emitted as specified', (topic) => {
    const told = events.filter((event) => event.topic === topic)
    expect(told.length).toBeGreaterThan(0)
    expect(told.flatMap(findDeviations)).toEqual([])
  })

  it('documents when each topic is emitted', () => {
    for (const topic of topics) expect(topic.when, topic.topic).toMatch(/\w+ \w+/)
  })

  it('has ids in order, and no event twice', () => {
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it('carries the namespace of its space; secrets use their environment', () => {
    const isTour = ({ topic, payload }: Event) =>
      topic === 'space:created' && (payload as { name?: string }).name === 'Tour'
    const { spaceId } = events.find(isTour)!.context
    const inTour = events.filter(({ domain, context }) => context.spaceId === spaceId && domain !== 'secret')
    expect(inTour.length).toBeGreaterThan(60)
    const without = inTour.filter(({ namespaces }) => !namespaces?.includes('space:tour'))
    expect(without.map(({ topic }) => topic)).toEqual([])
  })

  it('emits nothing that is not specified', () => {
    expect(events.map(({ topic }) => topic).filter((topic) => !(topic in SPECIFIED))).toEqual([])
  })
})
