import { describe, expect, it } from 'vitest'
import { getReadPermission, READ_PERMISSION_BY_DOMAIN, READ_PERMISSION_BY_TOPIC } from '../../schemas/events/readers.ts'
import { endpoints, topics } from '../../schemas/index.ts'
import { domainOfTopic } from '../../schemas/kit/topic.ts'

const READ_BY: Record<string, string> = {
  action: 'actions.get',
  agent: 'agents.get',
  canvas: 'canvases.get',
  'canvas-area': 'canvases.getArea',
  commit: 'commits.get',
  // They contain only a time, so anyone who reads events can see them.
  cron: 'events.get',
  'data-clip': 'clips.get',
  document: 'documents.get',
  environment: 'environments.get',
  file: 'files.get',
  job: 'jobs.get',
  layer: 'commits.get',
  program: 'programs.get',
  records: 'records.list',
  secret: 'secrets.list',
  sheet: 'sheets.get',
  snapshot: 'snapshots.get',
  space: 'spaces.get',
  thread: 'threads.get',
  workbook: 'workbooks.get',
}
const READ_BY_OF_TOPIC: Record<string, string> = {
  'space:guestAdded': 'guests.get',
  'space:guestRemoved': 'guests.get',
}

const permissionOf = (endpointId: string | undefined) => {
  const policy = endpoints.find(({ id }) => id === endpointId)?.policy
  return policy && 'can' in policy ? policy.can : undefined
}

describe('the readers of events', () => {
  it.each(topics.map(({ topic }) => topic))(
    "%s: need the permission of the endpoint that reads the event's subject",
    (topic) => {
      const domain = domainOfTopic(topic)
      expect(
        Object.keys(READ_PERMISSION_BY_DOMAIN),
        `add the domain ${domain} of ${topic} to schemas/events/readers.ts, with the permission that reads it`,
      ).toContain(domain)
      expect(getReadPermission(topic)).toBe(permissionOf(READ_BY_OF_TOPIC[topic] ?? READ_BY[domain]))
    },
  )

  it('are not declared for anything without a topic', () => {
    const domains = new Set(topics.map(({ topic }) => domainOfTopic(topic)))
    expect(Object.keys(READ_PERMISSION_BY_DOMAIN).filter((domain) => !domains.has(domain))).toEqual([])
    const names = topics.map(({ topic }) => topic as string)
    expect(Object.keys(READ_PERMISSION_BY_TOPIC).filter((topic) => !names.includes(topic))).toEqual([])
  })

  it('include all callers that read events, for a custom topic', () => {
    expect(getReadPermission('listener:done')).toBe('events:read')
  })
})
