export type { Listener } from './adapt.ts'
export type { Handled, Mounted } from './mounted.ts'
export { startPlatform, type TestOptions, type TestPlatform } from './platform.ts'
export type { Blueprint, ReadRecord, TestSpace } from './space.ts'
