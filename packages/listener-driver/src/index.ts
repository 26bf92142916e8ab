export { Refused } from './api.ts'
export type { LiveEvent, Status, Transport } from './connection.ts'
export { Driver, Driver as default, type DriverOptions } from './driver.ts'
