/** A sheet of people, with a required, a unique and a numeric field. */
import type { SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { newSheetId } from '../../support/records.ts'

export const createPeopleSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'age', type: 'number' },
  ],
})
export const createRow = (name: unknown, email?: unknown, age?: unknown) => ({
  values: { name: { value: name }, email: { value: email }, age: { value: age } },
})
export const getNames = (records: readonly WireRecord[]) => records.map(({ values }) => values.name?.value)
