import type { SheetRef, Store } from '../lib/records/index.ts'

export interface ColdReader {
  store: () => Store
  createRead: (fields: readonly string[], messages?: boolean) => () => Promise<void>
}

export async function createColdReader(sheet: SheetRef): Promise<ColdReader> {
  const { createStore } = await import('../lib/records/index.ts')
  const { sync } = await import('../lib/records/log/log.ts')
  const { openAll } = await import('../lib/records/segments/open.ts')
  const { valueColumn } = await import('../lib/records/format/column-names.ts')
  const known = createStore()
  await sync(known, sheet.sheetId)
  const store = (): Store => {
    const state = known.states.get(sheet.sheetId)!
    return { ...createStore(), states: new Map([[sheet.sheetId, { ...state }]]) }
  }
  return {
    store,
    createRead: (fields, messages) => async () => {
      const names = [...fields.map(valueColumn), ...(messages ? ['messages'] : [])]
      const { segments } = await sync(known, sheet.sheetId)
      let bytes = 0
      for await (const { raw } of openAll(createStore(), segments, names))
        for (const text of raw.values()) bytes += text.length
      if (!bytes) throw new Error('Nothing was read')
    },
  }
}
