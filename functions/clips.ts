import { buildClipLink } from '../lib/auth/guest-links.ts'
import { withNextLink } from '../lib/auth/link-version.ts'
import { loadScope, visibleTo } from '../lib/auth/load-resource.ts'
import { may, type Principal } from '../lib/auth/principal.ts'
import { setCollaborators } from '../lib/clips/collaborators.ts'
import { createClip, removeClip } from '../lib/clips/create.ts'
import { assertNotMerged, loadClipSheets } from '../lib/clips/sheets.ts'
import { diffFields, mergeDefined } from '../lib/core/diff.ts'
import { notFound } from '../lib/core/errors.ts'
import { lazy } from '../lib/core/lazy.ts'
import { Clips, clipContext, clipPayload, type NewClip } from '../lib/entities/clips.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as clips from '../schemas/clips/endpoints.ts'
import * as clipEvents from '../schemas/clips/events.ts'
import { MERGED } from '../schemas/clips/shape.ts'
import { success } from '../schemas/kit/page.ts'

const importRecords = lazy(() => import('../lib/clips/records.ts'))
const importReview = lazy(() => import('../lib/clips/review.ts'))
const importMerge = lazy(() => import('../lib/clips/merge.ts'))

const serializeClip = <C extends NewClip>(clip: C, caller: Principal) =>
  may(caller, 'clips:write', clip) ? { ...clip, guestLinkUrl: buildClipLink(clip) } : { ...clip, collaborators: [] }

export const create = serve(clips.create)(async ({ sheet, body, caller, tx }) =>
  serializeClip(await createClip(tx, sheet, body), caller),
)

export const list = serve(clips.listed)(async ({ environments, query, caller }) => {
  const { spaceId, sheetId, status } = query
  const space = spaceId === undefined ? undefined : await loadScope('space', caller, spaceId)
  const sheet = sheetId === undefined ? undefined : await loadScope('sheet', caller, sheetId)
  const candidates = sheet
    ? await Clips.ofSheet(sheet.id)
    : (await Promise.all(environments.map(({ id }) => Clips.inEnvironment(id)))).flat()
  const visible = candidates.filter(
    (clip) =>
      visibleTo(caller)(clip) &&
      (space === undefined || clip.spaceId === space.id) &&
      (status === undefined || clip.status === status),
  )
  return { data: visible.map((clip) => ({ data: serializeClip(clip, caller) })) }
})

export const get = serve(clips.get)(async ({ clip, caller }) => ({ data: serializeClip(clip, caller) }))

export const update = serve(clips.update)(async ({ clip, body, caller, tx }) => {
  const { status, collaborators, ...details } = body
  if (clip.status === MERGED && status !== undefined && status !== MERGED) assertNotMerged(clip)
  const before = status === MERGED ? await (await importMerge()).mergeClip(await loadClipSheets(clip), tx.actor) : clip
  const closing = before.sharedLinkAccess === 'public' && details.sharedLinkAccess === 'restricted'
  const changed = mergeDefined(closing ? withNextLink(before) : before, { ...details, status })
  if (diffFields(before, changed).length > 0)
    tx.emit(clipEvents.updated, clipContext(changed), clipPayload(changed), { namespaces: changed.namespaces })
  const after = collaborators
    ? { ...changed, collaborators: await setCollaborators(tx, changed, collaborators) }
    : changed
  if (diffFields(before, after).length === 0) return { data: serializeClip(before, caller) }
  const updated = { ...after, updatedAt: tx.now }
  tx.write(Clips.replace(before, updated))
  return { data: serializeClip(updated, caller) }
})

export const remove = serve(clips.remove)(async ({ clip, tx }) => {
  await removeClip(tx, clip)
  return success
})

export const addRecords = serve(clips.addRecords)(async ({ clip, body, query, tx }) => {
  assertNotMerged(clip)
  const sheets = await loadClipSheets(clip)
  const { addRecords: add, countClipRecords, resolveSelection } = await importRecords()
  const selection = await resolveSelection(sheets, query, body?.recordIds)
  const result = await add(sheets, selection, tx.actor)
  const counts = result?.counts ?? (await countClipRecords(sheets))
  const { total, valid, error } = counts
  return {
    success: true as const,
    counts: { total, valid, error },
    added: result?.created ?? 0,
    ...(result?.commitId ? { commitId: result.commitId, versionId: result.commitId } : {}),
  }
})

export const resolutions = serve(clips.resolutions)(async ({ clip, query, request }) => {
  const sheets = await loadClipSheets(clip)
  const { filterDifferences, reviewClip, summarize, loadValues } = await importReview()
  const differences = clip.status === MERGED ? [] : await reviewClip(sheets)
  const offset = (query.pageNumber - 1) * query.pageSize
  const page = query.includeRecords ? filterDifferences(differences, query).slice(offset, offset + query.pageSize) : []
  return createLargeJsonReply(request, clip, 'resolutions', {
    data: await loadValues(sheets, page),
    ...(query.includeSummary ? { summary: summarize(differences) } : {}),
  })
})

export const resolutionIndex = serve(clips.resolutionIndex)(async ({ clip, query }) => {
  assertNotMerged(clip)
  const { filterDifferences, reviewClip } = await importReview()
  const differences = filterDifferences(await reviewClip(await loadClipSheets(clip)), query)
  const index = differences.findIndex(({ difference }) => difference.id === query.id)
  if (index < 0) throw notFound('differingRecord', query.id)
  return { index }
})

export const resolve = serve(clips.resolve)(async ({ clip, body, tx }) => {
  assertNotMerged(clip)
  await (await importReview()).decide(tx, await loadClipSheets(clip), body.resolvedRecords)
  return success
})

export const refresh = serve(clips.refresh)(async ({ clip, tx }) => {
  assertNotMerged(clip)
  const sheets = await loadClipSheets(clip)
  await (await importRecords()).refreshReferenced(sheets, tx.actor)
  await (await importReview()).refreshDecisions(tx, sheets)
  return success
})

export const merge = serve(clips.merge)(async ({ clip, caller, tx }) => ({
  data: serializeClip(await (await importMerge()).mergeClip(await loadClipSheets(clip), tx.actor), caller),
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
