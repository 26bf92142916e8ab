import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod'
import type { uploadFile as uploadTool } from '../../schemas/mcp/changes.ts'
import type { Api } from './api.ts'

const WAIT_MS = 20_000
const POLL_MS = 500

export async function uploadFile(
  api: Api,
  { spaceId, name, text }: z.output<typeof uploadTool.input>,
): Promise<object> {
  const { data: space } = await api({ method: 'GET', path: `/spaces/${spaceId}` })
  const body = new FormData()
  body.set('spaceId', spaceId)
  body.set('environmentId', space.environmentId)
  body.set('file', new Blob([text]), name)
  const { data: created } = await api({ method: 'POST', path: '/files', body })
  const until = Date.now() + WAIT_MS
  let file = created
  while (file.workbookId === undefined && file.status !== 'failed' && Date.now() < until) {
    await sleep(POLL_MS)
    file = (await api({ method: 'GET', path: `/files/${created.id}` })).data
  }
  if (file.workbookId === undefined) return { file }
  const { data: workbook } = await api({ method: 'GET', path: `/workbooks/${file.workbookId}` })
  return {
    file,
    sheets: workbook.sheets.map(
      ({ id, name: sheetName, config }: { id: string; name: string; config: { fields: { key: string }[] } }) => ({
        sheetId: id,
        name: sheetName,
        columns: config.fields.map(({ key }) => key),
      }),
    ),
  }
}
