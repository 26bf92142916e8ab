import type { Constraint } from '../../schemas/sheets/fields.ts'
import type { Proposal } from '../../schemas/threads/assistant.ts'
import type { ApiRequest } from '../mcp/api.ts'

export type ProposedChange =
  /** `unchangedSince` is the version that the sheet must still have, for requests without a condition. */
  | { type: 'request'; request: ApiRequest; unchangedSince?: string | undefined }
  | { type: 'constraints'; fieldKey: string; before: Constraint[]; after: Constraint[] }

export interface Draft extends Pick<Proposal, 'kind' | 'sheetId' | 'sheetName' | 'fields' | 'reason' | 'preview'> {
  jobId?: string | undefined
  change: ProposedChange
}
