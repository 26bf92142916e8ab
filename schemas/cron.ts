/** Ticks of the clock, for agents that work by schedule. */

import * as z from 'zod'
import { Empty } from './context.ts'
import { Id } from './ids.ts'
import { topic } from './topic.ts'

const tick = { payload: Empty, context: z.object({ accountId: Id, environmentId: Id }) }

export const fiveMinutes = topic('cron:5-minutes', {
  when: 'every 5 minutes, in environments with a deployed agent subscribed to exactly this topic',
  ...tick,
})
export const hourly = topic('cron:hourly', {
  when: 'every hour, in environments with a deployed agent subscribed to exactly this topic',
  ...tick,
})
export const daily = topic('cron:daily', {
  when: 'at midnight UTC, in environments with a deployed agent subscribed to exactly this topic',
  ...tick,
})
export const weekly = topic('cron:weekly', {
  when: 'on Mondays at midnight UTC, in environments with a deployed agent subscribed to exactly this topic',
  ...tick,
})

export const CRON_TOPICS = [fiveMinutes, hourly, daily, weekly] as const
