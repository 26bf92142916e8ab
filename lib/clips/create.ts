import type * as z from 'zod'
import type * as clips from '../../schemas/clips/endpoints.ts'
import * as clipEvents from '../../schemas/clips/events.ts'
import { OPEN } from '../../schemas/clips/shape.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { SheetConfig } from '../../schemas/sheets/shape.ts'
import { findSheet } from '../../schemas/workbooks/blueprint.ts'
import { notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { Clips, clipContext, clipPayload, type NewClip, type StoredClip } from '../entities/clips.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import { Spaces } from '../entities/spaces.ts'
import { Workbooks } from '../entities/workbooks.ts'
import type { Tx } from '../tx.ts'
import { createWorkbook } from '../workbooks/create.ts'
import { removeWorkbook } from '../workbooks/remove.ts'
import { revokeClip, setCollaborators } from './collaborators.ts'

/** Label of clip workbooks; workbook lists exclude them with `label=-data-clip`. */
const CLIP_LABEL = 'data-clip'
export const CLIP_TREATMENT = 'CLIPPED_FROM_SHEET'

type Config = Omit<z.output<typeof clips.create.body>, 'sourceSheetId'>

export async function createClip(tx: Tx, source: StoredSheet, config: Config): Promise<NewClip> {
  const [space, workbook, siblings] = await Promise.all([
    Spaces.get(source.spaceId),
    Workbooks.get(source.workbookId),
    Sheets.inWorkbook(source.workbookId),
  ])
  if (!space || !workbook) throw notFound('sheet', source.id)
  const created = createWorkbook(tx, space, {
    name: config.name,
    labels: [CLIP_LABEL],
    namespace: workbook.namespace,
    sheets: [buildClipSheetConfig(source, siblings)],
  } as Parameters<typeof createWorkbook>[2])
  const { id: clipSheetId } = created.sheets[0]!
  const clip: NewClip = {
    id: newId('clip'),
    accountId: source.accountId,
    environmentId: source.environmentId,
    spaceId: source.spaceId,
    namespaces: source.namespaces,
    name: config.name,
    ...(config.description === undefined ? {} : { description: config.description }),
    sourceSheetId: source.id,
    clipSheetId,
    workbookId: created.workbook.id,
    status: OPEN,
    collaborators: [],
    sharedLinkAccess: config.sharedLinkAccess ?? 'restricted',
    createdBy: tx.actor.actorId,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.emit(clipEvents.created, clipContext(clip), clipPayload(clip), { namespaces: clip.namespaces })
  const clipWithCollaborators = { ...clip, collaborators: await setCollaborators(tx, clip, config.collaborators ?? []) }
  Clips.insert(tx, clipWithCollaborators)
  return clipWithCollaborators
}

function buildClipSheetConfig(source: StoredSheet, siblings: readonly StoredSheet[]): SheetConfig {
  const fields = source.config.fields.map((field): Field => {
    const target = findReferencedSheet(field, siblings)
    if (!target) return field
    return { ...field, config: { ...(field.config as object), ref: getCopySlug(source, target) } } as Field
  })
  const { name, slug } = source
  return SheetConfig.parse({ ...source.config, name, slug, fields, treatments: [CLIP_TREATMENT] })
}

export function findReferencedSheet(field: Field, siblings: readonly StoredSheet[]): StoredSheet | undefined {
  return field.type === 'reference' || field.type === 'reference-list'
    ? findSheet(siblings, field.config.ref)
    : undefined
}

export const getCopySlug = (source: StoredSheet, target: StoredSheet): string =>
  target.id === source.id ? `${target.slug}-referenced` : target.slug

export async function removeClip(tx: Tx, clip: StoredClip): Promise<void> {
  Clips.delete(tx, clip)
  for (const id of clip.collaborators) await revokeClip(tx, clip, id)
  const workbook = await Workbooks.get(clip.workbookId)
  if (workbook) removeWorkbook(tx, workbook)
  tx.emit(clipEvents.deleted, clipContext(clip), clipPayload(clip), { namespaces: clip.namespaces })
}
