/** What the operations of the embedded EventBridge work with. */
import type { LambdaService } from '../lambda/index.ts'
import type { Buses } from './buses.ts'
import type { Schedules } from './schedules.ts'

export interface EventBridgeParts {
  buses: Buses
  schedules: Schedules
  lambda: LambdaService
  now(): Date
}
