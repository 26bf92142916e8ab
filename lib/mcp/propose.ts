/** Hands a previewed change to a person: a data clip gets the records with their new values. */
import type { Api, ApiRequest } from './api.ts'
import { RefusedError } from './api.ts'
import type { Proposal } from './changes/change.ts'
import { shortenRecord } from './results.ts'

export interface ClipDetails {
  name: string
  description?: string | undefined
  collaborators?: string[] | undefined
}

/**
 * @param key the idempotency key, so that a retry makes no second clip
 * @throws RefusedError after removing a clip that did not get the changes
 */
export async function proposeChange(api: Api, proposal: Proposal, details: ClipDetails, key: string): Promise<object> {
  const clip = await api(
    { method: 'POST', path: '/data-clips', body: { ...details, sourceSheetId: proposal.sheetId } },
    `${key}-clip`,
  )
  try {
    return await fillClip(api, proposal, clip, key)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    await api({ method: 'DELETE', path: `/data-clips/${clip.id}` })
    throw new RefusedError(`${error.message}\nNothing was proposed. Preview the change again.`)
  }
}

interface CreatedClip {
  id: string
  clipSheetId: string
}

async function fillClip(api: Api, { sheetId, select, request }: Proposal, clip: CreatedClip, key: string) {
  const recordIds = 'recordIds' in select ? select.recordIds : undefined
  const added = await api(
    {
      method: 'POST',
      path: `/data-clips/${clip.id}/add-records`,
      query: 'query' in select ? select.query : undefined,
      body: recordIds ? { recordIds } : {},
    },
    `${key}-records`,
  )
  const copyIds = Array.isArray(request.body)
    ? await matchCopies(api, sheetId, clip.clipSheetId, recordIds ?? [])
    : undefined
  const applied = await api(toClip(request, sheetId, clip.clipSheetId, copyIds), `${key}-change`)
  return { dataClipId: clip.id, sheetId: clip.clipSheetId, records: added.added, ...applied.data, success: undefined }
}

function toClip(
  request: ApiRequest,
  sheetId: string,
  clipSheetId: string,
  copyIds: ReadonlyMap<string, string> | undefined,
): ApiRequest {
  const body = copyIds
    ? (request.body as { id: string }[]).map((change) => ({ ...change, id: copyIds.get(change.id) }))
    : request.body
  return { ...request, path: request.path.replace(sheetId, clipSheetId), body }
}

/** A clip has copies in the order of the source. Their values are compared, because nothing else names the source. */
async function matchCopies(
  api: Api,
  sheetId: string,
  clipSheetId: string,
  recordIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const pageSize = recordIds.length
  const [sources, copies] = await Promise.all([
    api({ method: 'GET', path: `/sheets/${sheetId}/records`, query: { ids: recordIds, pageSize } }),
    api({ method: 'GET', path: `/sheets/${clipSheetId}/records`, query: { pageSize } }),
  ])
  const describe = (reply: { data: { records: Parameters<typeof shortenRecord>[0][] } }) =>
    reply.data.records.map((record) => JSON.stringify(shortenRecord(record).values))
  if (describe(sources).join('\n') !== describe(copies).join('\n'))
    throw new RefusedError('The records changed while they were copied. Preview the change again.')
  return new Map(
    sources.data.records.map(({ id }: { id: string }, index: number) => [id, copies.data.records[index].id]),
  )
}
