import { PREVIEW_MINUTES } from '../../schemas/mcp/changes.ts'
import { newId } from '../core/ids.ts'
import { ChangePreviews, MAX_CHANGE_LENGTH, type StoredChangePreview } from '../entities/change-previews.ts'
import type { Tx } from '../tx.ts'
import { RefusedError } from './api.ts'
import type { Change } from './changes/change.ts'

const MS_PER_SECOND = 1000

export function savePreview(tx: Tx, change: Change): string {
  const text = JSON.stringify(change)
  if (text.length > MAX_CHANGE_LENGTH) throw new RefusedError('This change is too large. Preview it in smaller parts.')
  const id = newId('changePreview')
  const expires = Math.floor(Date.parse(tx.now) / MS_PER_SECOND) + PREVIEW_MINUTES * 60
  tx.write(ChangePreviews.create({ id, ...tx.actor, change: text, expires }))
  return id
}

export interface LoadedPreview {
  stored: StoredChangePreview
  change: Change
  /** The reply when it was applied before. */
  result: object | undefined
}

/** @throws RefusedError for a preview of someone else, too */
export async function loadPreview(tx: Tx, id: string): Promise<LoadedPreview> {
  const stored = await ChangePreviews.get(id)
  const { accountId, actorId } = tx.actor
  if (
    stored?.accountId !== accountId ||
    stored.actorId !== actorId ||
    stored.expires * MS_PER_SECOND < Date.parse(tx.now)
  )
    throw new RefusedError(
      `There is no preview ${id}. Previews expire after ${PREVIEW_MINUTES} minutes. Preview the change again.`,
    )
  return {
    stored,
    change: JSON.parse(stored.change) as Change,
    result: stored.result === undefined ? undefined : (JSON.parse(stored.result) as object),
  }
}

export const saveResult = (tx: Tx, { stored }: LoadedPreview, result: object): void =>
  tx.write(ChangePreviews.replace(stored, { ...stored, result: JSON.stringify(result) }))
