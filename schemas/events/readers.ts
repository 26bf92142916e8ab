/** The permission required to read events of a topic (test/contract/event-readers.test.ts). */
import type { Permission } from '../access/permissions.ts'
import { domainOfTopic } from '../kit/topic.ts'

export const READ_PERMISSION_BY_DOMAIN: Readonly<Record<string, Permission>> = {
  action: 'actions:read',
  agent: 'agents:read',
  canvas: 'canvases:read',
  'canvas-area': 'canvases:read',
  commit: 'commits:read',
  cron: 'events:read',
  'data-clip': 'clips:read',
  document: 'documents:read',
  environment: 'environments:read',
  file: 'files:read',
  job: 'jobs:read',
  layer: 'commits:read',
  program: 'mapping:read',
  records: 'records:read',
  secret: 'secrets:read',
  sheet: 'sheets:read',
  snapshot: 'snapshots:read',
  space: 'spaces:read',
  thread: 'threads:read',
  workbook: 'workbooks:read',
}

export const READ_PERMISSION_BY_TOPIC: Readonly<Record<string, Permission>> = {
  'space:guestAdded': 'guests:read',
  'space:guestRemoved': 'guests:read',
}

/** Events of custom domains require `events:read`. */
export const getReadPermission = (topic: string): Permission =>
  READ_PERMISSION_BY_TOPIC[topic] ?? READ_PERMISSION_BY_DOMAIN[domainOfTopic(topic)] ?? 'events:read'
