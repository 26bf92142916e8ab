import { may } from '../lib/auth/principal.ts'
import { replaySheet } from '../lib/commits/replay.ts'
import { mergeDefined } from '../lib/core/diff.ts'
import { missingPermission } from '../lib/core/errors.ts'
import { Sheets } from '../lib/entities/sheets.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { duplicateSheet } from '../lib/workbooks/duplicate.ts'
import { assertRules } from '../lib/workbooks/rules.ts'
import {
  assertReferencesIntact,
  assertUniqueSlugs,
  emitSheetChange,
  removeSheet,
  updateSheet,
  withField,
  withoutField,
} from '../lib/workbooks/update.ts'
import { success } from '../schemas/kit/page.ts'
import * as sheets from '../schemas/sheets/endpoints.ts'

export const list = serve(sheets.listed)(async ({ workbook }) => ({ data: await Sheets.inWorkbook(workbook.id) }))

export const get = serve(sheets.get)(async ({ sheet }) => ({ data: sheet }))

export const update = serve(sheets.update)(async ({ sheet, body, caller, tx }) => {
  // A table outlives its caller, as a webhook does.
  if (body.table !== undefined && !may(caller, 'webhooks:write', sheet)) throw missingPermission('webhooks:write')
  const after = mergeDefined(sheet, body)
  if (after.slug !== sheet.slug || after.name !== sheet.name) {
    const siblings = await Sheets.inWorkbook(sheet.workbookId)
    assertUniqueSlugs([after, ...siblings.filter(({ id }) => id !== sheet.id)])
    assertReferencesIntact(siblings, after, () => (after.slug === sheet.slug ? 'name' : 'slug'))
  }
  const config = { ...after.config, name: after.name, slug: after.slug }
  return { data: updateSheet(tx, sheet, { ...after, config }) }
})

export const remove = serve(sheets.remove)(async ({ sheet, tx }) => {
  removeSheet(tx, sheet)
  emitSheetChange(tx, 'sheet_removed', sheet)
  return success
})

export const addField = serve(sheets.addField)(async ({ sheet, query, body, tx }) => {
  const after = withField(sheet, body, query.insertAtIndex)
  assertReferencesIntact(await Sheets.inWorkbook(sheet.workbookId), after, (path) => path?.slice(2).join('.') ?? 'key')
  const index = after.config.fields.indexOf(body)
  await assertRules([after.config], (_, path) =>
    (path[0] === 'fields' && path[1] === index ? path.slice(2) : path).join('.'),
  )
  updateSheet(tx, sheet, after)
  return { data: body }
})

export const removeField = serve(sheets.removeField)(async ({ sheet, params, tx }) => {
  const after = withoutField(sheet, params.fieldKey)
  await assertRules([after.config], (_, path) => path.join('.'))
  updateSheet(tx, sheet, after)
  return success
})

export const validate = serve(sheets.validate)(async ({ sheet, tx }) => {
  await replaySheet(sheet, tx.actor)
  return success
})

export const duplicate = serve(sheets.duplicate)(async ({ sheet, body, tx }) => ({
  data: await duplicateSheet(tx, sheet, body ?? {}),
}))

export const lock = serve(sheets.lock)(async ({ sheet, caller, tx }) => {
  if (!sheet.lockedAt) updateSheet(tx, sheet, { ...sheet, lockedAt: tx.now, lockedBy: caller.actorId })
  return success
})

export const unlock = serve(sheets.unlock)(async ({ sheet, tx }) => {
  const { lockedAt, lockedBy: _, ...unlocked } = sheet
  if (lockedAt) updateSheet(tx, sheet, unlocked)
  return success
})

export const handler = lambda(list, get, update, remove, addField, removeField, validate, duplicate, lock, unlock)
