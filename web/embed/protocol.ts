import type { ImporterTheme, RecordCounts, SubmittedSheet } from '../../packages/react/src/types.ts'

export interface FontFile {
  family: string
  weight?: string
  style?: string
  bytes: ArrayBuffer
}

export interface BeginMessage {
  type: 'wharf:begin'
  spaceId: string
  token: string
  theme?: ImporterTheme
  fonts?: FontFile[]
  colorScheme?: string
  mode?: string
  stayOpen?: boolean
}

/**
 * `wharf:leave`: the guest wants to close the importer. `wharf:hidden`: it is closed, and the frame replies how many
 * submissions are running.
 */
export type HostMessage = BeginMessage | { type: 'wharf:leave' } | { type: 'wharf:hidden' }

export interface SubmittedMessage {
  type: 'wharf:submitted'
  jobId: string
  operation: string
  counts: RecordCounts
  sheets: SubmittedSheet[]
}

/** `wharf:ended`: the session has expired, so the space cannot be continued. */
export type FrameMessage =
  | { type: 'wharf:ready' }
  | { type: 'wharf:shown'; background: string; color: string }
  | { type: 'wharf:asking' }
  | { type: 'wharf:close' }
  | { type: 'wharf:ended' }
  | { type: 'wharf:running'; count: number }
  | SubmittedMessage
