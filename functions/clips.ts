/** Data clips over HTTP. */

import { clipLinkOf } from '../lib/auth/guest-links.ts'
import { withNextLink } from '../lib/auth/link-version.ts'
import { may, type Principal } from '../lib/auth/principal.ts'
import { loadScope, reachedBy } from '../lib/auth/scopes.ts'
import { setCollaborators } from '../lib/clips/collaborators.ts'
import { createClip, removeClip } from '../lib/clips/create.ts'
import { refuseMerged, sheetsOf } from '../lib/clips/sheets.ts'
import { notFound } from '../lib/core/errors.ts'
import { onDemand } from '../lib/core/on-demand.ts'
import { changesBetween, merged } from '../lib/entities/changes.ts'
import { Clips, clipContext, clipPayload, type NewClip } from '../lib/entities/clips.ts'
import { largeJson } from '../lib/http/large.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { MERGED } from '../schemas/clip.ts'
import * as clips from '../schemas/clips.ts'
import { success } from '../schemas/page.ts'

/** What works on records: a clip itself is mostly read. */
const copying = onDemand(() => import('../lib/clips/records.ts'))
const reviewing = onDemand(() => import('../lib/clips/review.ts'))
const merging = onDemand(() => import('../lib/clips/merge.ts'))

const shown = <C extends NewClip>(clip: C, caller: Principal) =>
  may(caller, 'clips:write', clip) ? { ...clip, guestLinkUrl: clipLinkOf(clip) } : { ...clip, collaborators: [] }

export const create = serve(clips.create)(async ({ sheet, body, caller, tx }) =>
  shown(await createClip(tx, sheet, body), caller),
)

export const list = serve(clips.listed)(async ({ environments, query, caller }) => {
  const { spaceId, sheetId, status } = query
  const space = spaceId === undefined ? undefined : await loadScope('space', caller, spaceId)
  const sheet = sheetId === undefined ? undefined : await loadScope('sheet', caller, sheetId)
  const found = sheet
    ? await Clips.ofSheet(sheet.id)
    : (await Promise.all(environments.map(({ id }) => Clips.inEnvironment(id)))).flat()
  const seen = found.filter(
    (clip) =>
      reachedBy(caller)(clip) &&
      (space === undefined || clip.spaceId === space.id) &&
      (status === undefined || clip.status === status),
  )
  return { data: seen.map((clip) => ({ data: shown(clip, caller) })) }
})

export const get = serve(clips.get)(async ({ clip, caller }) => ({ data: shown(clip, caller) }))

export const update = serve(clips.update)(async ({ clip, body, caller, tx }) => {
  const { status, collaborators, ...details } = body
  if (clip.status === MERGED && status !== undefined && status !== MERGED) refuseMerged(clip)
  const before = status === MERGED ? await (await merging()).mergeClip(await sheetsOf(clip), tx.actor) : clip
  const closing = before.sharedLinkAccess === 'public' && details.sharedLinkAccess === 'restricted'
  const changed = merged(closing ? withNextLink(before) : before, { ...details, status })
  if (changesBetween(before, changed).length > 0)
    tx.emit(clips.updated, clipContext(changed), clipPayload(changed), { namespaces: changed.namespaces })
  const after = collaborators
    ? { ...changed, collaborators: await setCollaborators(tx, changed, collaborators) }
    : changed
  if (changesBetween(before, after).length === 0) return { data: shown(before, caller) }
  const written = { ...after, updatedAt: tx.now }
  tx.write(Clips.replace(before, written))
  return { data: shown(written, caller) }
})

export const remove = serve(clips.remove)(async ({ clip, tx }) => {
  await removeClip(tx, clip)
  return success
})

export const addRecords = serve(clips.addRecords)(async ({ clip, body, query, tx }) => {
  refuseMerged(clip)
  const sheets = await sheetsOf(clip)
  const { addRecords: add, countsIn, selected } = await copying()
  const selection = await selected(sheets, query, body?.recordIds)
  const added = await add(sheets, selection, tx.actor)
  const counts = added?.counts ?? (await countsIn(sheets))
  const { total, valid, error } = counts
  return {
    success: true as const,
    counts: { total, valid, error },
    added: added?.created ?? 0,
    ...(added?.commitId ? { commitId: added.commitId, versionId: added.commitId } : {}),
  }
})

export const resolutions = serve(clips.resolutions)(async ({ clip, query, request }) => {
  const sheets = await sheetsOf(clip)
  const { filtered, reviewed, summaryOf, withValues } = await reviewing()
  const all = clip.status === MERGED ? [] : await reviewed(sheets)
  const first = (query.pageNumber - 1) * query.pageSize
  const page = query.includeRecords ? filtered(all, query).slice(first, first + query.pageSize) : []
  return largeJson(request, clip, 'resolutions', {
    data: await withValues(sheets, page),
    ...(query.includeSummary ? { summary: summaryOf(all) } : {}),
  })
})

export const resolutionIndex = serve(clips.resolutionIndex)(async ({ clip, query }) => {
  refuseMerged(clip)
  const { filtered, reviewed } = await reviewing()
  const all = filtered(await reviewed(await sheetsOf(clip)), query)
  const index = all.findIndex(({ difference }) => difference.id === query.id)
  if (index < 0) throw notFound('differing record', query.id)
  return { index }
})

export const resolve = serve(clips.resolve)(async ({ clip, body, tx }) => {
  refuseMerged(clip)
  await (await reviewing()).decide(tx, await sheetsOf(clip), body.resolvedRecords)
  return success
})

export const refresh = serve(clips.refresh)(async ({ clip, tx }) => {
  refuseMerged(clip)
  const sheets = await sheetsOf(clip)
  await (await copying()).refreshReferenced(sheets, tx.actor)
  await (await reviewing()).refresh(tx, sheets)
  return success
})

export const merge = serve(clips.merge)(async ({ clip, caller, tx }) => ({
  data: shown(await (await merging()).mergeClip(await sheetsOf(clip), tx.actor), caller),
}))

export const handler = lambda(
  create,
  list,
  get,
  update,
  remove,
  addRecords,
  resolutions,
  resolutionIndex,
  resolve,
  refresh,
  merge,
)
