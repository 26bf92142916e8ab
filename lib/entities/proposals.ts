import * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { Proposal } from '../../schemas/threads/assistant.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = Proposal.extend({
  accountId: Id,
  /** The change as JSON (lib/assistant/change.ts). */
  change: z.string(),
  applyingBy: Id.optional(),
})

const stored = entity({ name: 'proposal', shape: Shape, by: { inThread: { index: 'gsi1', of: ['threadId'] } } })
export type StoredProposal = Stored<typeof Shape>
export type NewProposal = z.infer<typeof Shape>

export const Proposals = {
  ...stored,
  inThread: (threadId: string): Promise<StoredProposal[]> => stored.list('inThread', { threadId }),
}
