/** Connects a `@flatfile/listener` to the events of a Wharf environment or space. */

export { Refused } from './api.ts'
export type { LiveEvent, Status, Transport } from './connection.ts'
export { Driver, Driver as default, type DriverOptions } from './driver.ts'
