import type { PlatformInfo } from './types.ts'

export type ProcessMessage =
  | { started: PlatformInfo }
  | { failed: { name: string; message: string } }
  | { idle: number }

/** Asks for `idle` with the same number once the platform is idle. */
export interface ParentMessage {
  idle: number
}
