import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { withBranding } from '../../shared/branding.ts'
import { createSheet, type Draft, type DraftSheet, newId, SUBMIT, toBlueprint, toSheetConfig } from './draft.ts'
import { deleteSample } from './sample.ts'
import type { SpaceSettings } from './settings.ts'
import type { Constraint, Field } from './shape.ts'

export type Space = Shape<'Space'>
type Workbook = Shape<'Workbook'>

export async function createSpace(
  environmentId: string,
  draft: Draft,
  settings: SpaceSettings,
  submitLabel: string,
): Promise<Space> {
  const workbook = toBlueprint(draft, submitLabel)
  if (settings.isDefault) await replaceDefault(environmentId, workbook)
  const space = {
    environmentId,
    name: settings.name,
    metadata: withBranding(undefined, settings),
    guestAuthentication: settings.guestAuthentication || undefined,
  }
  const { data } = await unwrap(api.POST('/api/v1/internal/spaces/init', { body: { space, workbook } as never }))
  if (draft.sampleSpaceId) await deleteSample(draft.sampleSpaceId)
  return data.space
}

export const replaceDefault = (environmentId: string, workbook: object) =>
  unwrap(
    api.PUT('/api/v1/environments/{environmentId}/autobuilds', {
      params: { path: { environmentId } },
      body: { workbooks: [workbook] } as never,
    }),
  )

export async function loadWorkbook(spaceId: string): Promise<Workbook | undefined> {
  const { data } = await unwrap(api.GET('/api/v1/workbooks', { params: { query: { spaceId, includeSheets: true } } }))
  return data.find(({ labels }) => !labels?.includes('file') && !labels?.includes('clip'))
}

export function toDraft({ name, sheets = [], actions = [] }: Workbook): Draft {
  const draftSheets: DraftSheet[] = []
  for (const { id, name: sheetName, slug, config } of sheets)
    draftSheets.push({
      ...createSheet(sheetName, draftSheets),
      slug,
      sheetId: id,
      sampleSheetId: id,
      constraints: (config.constraints ?? []) as Constraint[],
      fields: config.fields.map((field) => ({
        ...{ id: newId(), reasons: [], column: field.key },
        field: field as unknown as Field,
      })),
    })
  const submit = actions.find(({ operation }) => operation === SUBMIT)
  return {
    name: name ?? '',
    sheets: draftSheets,
    canSubmit: submit !== undefined,
    onlyValid: submit?.constraints?.some(({ type }) => type === 'hasAllValid') ?? true,
  }
}

export async function updateWorkbook(workbookId: string, { name, sheets }: Draft): Promise<void> {
  const body = {
    name,
    sheets: sheets.map((sheet) => ({
      ...toSheetConfig(sheet),
      constraints: sheet.constraints,
      ...(sheet.sheetId ? { id: sheet.sheetId } : {}),
    })),
  }
  const params = { path: { workbookId } }
  await unwrap(api.PATCH('/api/v1/workbooks/{workbookId}', { params, body: body as never }))
}

export async function addWorkbook(spaceId: string, draft: Draft, submitLabel: string): Promise<void> {
  const body = { ...toBlueprint(draft, submitLabel), spaceId }
  await unwrap(api.POST('/api/v1/workbooks', { body: body as never }))
  if (draft.sampleSpaceId) await deleteSample(draft.sampleSpaceId)
}

export async function addGuests(environmentId: string, spaceId: string, emails: readonly string[]): Promise<void> {
  const body = emails.map((email) => ({ environmentId, email, name: email.split('@')[0]!, spaces: [{ id: spaceId }] }))
  const { data } = await unwrap(api.POST('/api/v1/guests', { body }))
  await unwrap(api.POST('/api/v1/invitations', { body: data.map(({ id }) => ({ guestId: id, spaceId })) }))
}
