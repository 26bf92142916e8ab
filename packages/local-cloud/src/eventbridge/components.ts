import type { LambdaService } from '../lambda/index.ts'
import type { Buses } from './buses.ts'
import type { Schedules } from './schedules.ts'

export interface EventBridgeComponents {
  buses: Buses
  schedules: Schedules
  lambda: LambdaService
  now(): Date
}
