import * as z from 'zod'
import { Empty } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const cronEvent = { payload: Empty, context: z.object({ accountId: Id, environmentId: Id }) }

export const fiveMinutes = topic('cron:5-minutes', {
  when: 'every 5 minutes, in environments with a deployed agent subscribed to exactly this topic',
  ...cronEvent,
})
export const hourly = topic('cron:hourly', {
  when: 'every hour, in environments with a deployed agent subscribed to exactly this topic',
  ...cronEvent,
})
export const daily = topic('cron:daily', {
  when: 'at midnight UTC, in environments with a deployed agent subscribed to exactly this topic',
  ...cronEvent,
})
export const weekly = topic('cron:weekly', {
  when: 'on Mondays at midnight UTC, in environments with a deployed agent subscribed to exactly this topic',
  ...cronEvent,
})

export const CRON_TOPICS = [fiveMinutes, hourly, daily, weekly] as const
