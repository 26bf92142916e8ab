/** The events that functions of the platform react to, with or without other listeners: the rules in serverless.yml. Pure. */
import type { Event } from '../../schemas/events/shape.ts'

const WITH_ACTIONS = ['action', 'space', 'workbook', 'sheet', 'file', 'document']
const WITH_CHILDREN = ['environment', 'agent', 'thread']

const TOPICS = new Set([
  'job:ready',
  ...WITH_ACTIONS.flatMap((domain) => [`${domain}:created`, `${domain}:updated`, `${domain}:deleted`]),
  ...WITH_CHILDREN.map((domain) => `${domain}:deleted`),
])
const JOB_TOPICS = new Set(['job:updated', 'job:scheduled', 'job:completed', 'job:failed', 'job:deleted'])

export const isForPlatform = ({ topic, context }: Pick<Event, 'topic' | 'context'>): boolean =>
  TOPICS.has(topic) ||
  (JOB_TOPICS.has(topic) && (context.parentId ?? context.parts ?? context.successors) !== undefined)
