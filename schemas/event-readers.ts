/** Which permission the readers of an event need: the one that reads what the event is about. Held by test/contract/event-readers.test.ts. */
import type { Permission } from './access.ts'
import { domainOfTopic } from './topic.ts'

export const READERS_OF_DOMAIN: Readonly<Record<string, Permission>> = {
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

/** Topics about something else than their domain's resource. */
export const READERS_OF_TOPIC: Readonly<Record<string, Permission>> = {
  'space:guestAdded': 'guests:read',
  'space:guestRemoved': 'guests:read',
}

/** Of a domain that is not the platform's, whoever reads events reads them. */
export const readersOf = (topic: string): Permission =>
  READERS_OF_TOPIC[topic] ?? READERS_OF_DOMAIN[domainOfTopic(topic)] ?? 'events:read'
