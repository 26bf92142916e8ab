import * as z from 'zod'
import type { Edit } from '../../../schemas/quality/shape.ts'
import {
  MAX_PROPOSALS_PER_REPLY,
  MAX_PROPOSED_CHANGE_LENGTH,
  MAX_REASON_LENGTH,
} from '../../../schemas/threads/assistant.ts'
import { loadWithPermission } from '../../auth/load-resource.ts'
import type { Principal } from '../../auth/principal.ts'
import { notFound } from '../../core/errors.ts'
import { parseKind } from '../../core/ids.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { StoredThread } from '../../entities/threads.ts'
import { type Api, RefusedError } from '../../mcp/api.ts'
import type { Draft } from '../change.ts'

export interface ToolSession {
  api: Api
  principal: Principal
  thread: Pick<StoredThread, 'resourceId' | 'spaceId'>
  samplesLeft: number
  /** Edits that the platform suggested, by the name that the model uses for them. */
  fixes: Map<string, { sheetId: string; edit: Edit }>
  drafts: Draft[]
}

export interface Tool {
  name: string
  description: string
  input: z.ZodObject
  /** Only with samples of records, because it needs their ids or values. */
  readsRecords?: boolean
  run(session: ToolSession, args: Record<string, unknown>): Promise<object>
}

export const defineTool = <T extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: T
    run: (session: ToolSession, args: z.output<T>) => Promise<object>
  },
): Tool => ({ ...tool, run: (session, args) => tool.run(session, args as z.output<T>) })

export const reason = z
  .string()
  .max(MAX_REASON_LENGTH)
  .optional()
  .describe('Why the change is right, in one sentence for the person.')

export const bindsTo = ({ resourceId }: ToolSession['thread'], { id, workbookId }: StoredSheet): boolean =>
  parseKind(resourceId) === 'space' || resourceId === workbookId || resourceId === id

/** The same error for a sheet that is missing, hidden, or outside the resource of the thread. */
export async function loadBoundSheet(session: ToolSession, sheetId: string): Promise<StoredSheet> {
  const sheet = await loadSheetOfSpace(session, sheetId)
  if (!bindsTo(session.thread, sheet)) throw notFound('sheet', sheetId)
  return sheet
}

export async function loadSheetOfSpace({ principal, thread }: ToolSession, sheetId: string): Promise<StoredSheet> {
  const sheet = await loadWithPermission('sheet', principal, 'records:read', sheetId)
  if (sheet.spaceId !== thread.spaceId) throw notFound('sheet', sheetId)
  return sheet
}

/** @returns what the model reads about its proposal: counts, and no values */
export function addDraft(session: ToolSession, draft: Draft): object {
  if (session.drafts.length >= MAX_PROPOSALS_PER_REPLY)
    throw new RefusedError(`A reply can have at most ${MAX_PROPOSALS_PER_REPLY} proposals. Finish with a text.`)
  if (JSON.stringify([draft.change, draft.preview]).length > MAX_PROPOSED_CHANGE_LENGTH)
    throw new RefusedError('This change is too large. Propose it in smaller parts.')
  session.drafts.push(draft)
  return { proposed: true, counts: draft.preview.counts, note: 'The person sees the proposal and can apply it.' }
}

export const NOTHING_CHANGES = { proposed: false, note: 'Nothing would change, so nothing was proposed.' }

/** Texts of listeners can contain values, so the model does not read them. */
export const LISTENER_MESSAGE = 'custom-logic'

export const noSamples = (): RefusedError =>
  new RefusedError('The values of no more records may be read for this message. Work with counts and groups.')
