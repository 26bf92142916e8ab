import { Upload } from '../../portal/upload.ts'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { createSheet, type Draft, type DraftField, type DraftSheet, newId } from './draft.ts'
import type { Field } from './shape.ts'

const POLL_MS = 400

type File = Shape<'File'>

function toTitle(fileName: string): string {
  const words = fileName
    .replace(/\.\w{1,5}$/, '')
    .replace(/[_-]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1) || fileName
}

export async function readSample(
  environmentId: string,
  file: globalThis.File,
  translate: (text: string) => string,
): Promise<Draft> {
  const title = toTitle(file.name)
  const { data: space } = await unwrap(api.POST('/api/v1/spaces', { body: { environmentId, name: title } }))
  try {
    await new Upload(space.id, file, () => {}).run()
    const { workbookId } = await waitForFile(space.id, translate)
    const { data } = await unwrap(
      api.GET('/api/v1/workbooks/{workbookId}', { params: { path: { workbookId: workbookId! } } }),
    )
    const sheets: DraftSheet[] = []
    for (const sheet of data.sheets ?? []) {
      const name = data.sheets!.length === 1 ? title : sheet.name
      const fields = await suggestFields(sheet.id)
      if (fields.length > 0) sheets.push({ ...createSheet(name, sheets, fields), sampleSheetId: sheet.id })
    }
    return { name: title, sheets, canSubmit: true, onlyValid: true, sampleSpaceId: space.id }
  } catch (error) {
    await deleteSample(space.id)
    throw error
  }
}

async function waitForFile(spaceId: string, translate: (text: string) => string): Promise<File> {
  for (;;) {
    const { data } = await unwrap(api.GET('/api/v1/files', { params: { query: { spaceId } } }))
    const [file] = data
    if (file?.status === 'failed') throw new Error(translate(file.statusReason ?? ''))
    if (file?.workbookId && file.status === 'complete') return file
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function suggestFields(sheetId: string): Promise<DraftField[]> {
  const path = { sheetId }
  const { data } = await unwrap(api.GET('/api/v1/sheets/{sheetId}/suggested-fields', { params: { path } }))
  return data.fields.map(({ field, column, reasons }) => ({
    ...{ id: newId(), column, reasons },
    field: field as unknown as Field,
  }))
}

export const deleteSample = (spaceId: string): Promise<unknown> =>
  unwrap(api.DELETE('/api/v1/spaces/{spaceId}', { params: { path: { spaceId } } })).catch(() => undefined)
