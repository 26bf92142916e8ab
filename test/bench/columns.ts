/** Reading columns of a sheet and nothing else: what scans are measured beside. */
import type { SheetRef, Store } from '../../lib/records/index.ts'

export interface Cold {
  /** A process that knows the sheet's state and has no chunk and no order of it at hand. */
  store: () => Store
  /** Has such a process read and inflate the columns of these fields, and the messages. */
  reading: (fields: readonly string[], messages?: boolean) => () => Promise<void>
}

export async function coldReads(sheet: SheetRef): Promise<Cold> {
  const { newStore } = await import('../../lib/records/index.ts')
  const { sync } = await import('../../lib/records/log/log.ts')
  const { openAll } = await import('../../lib/records/read/reader.ts')
  const { valueColumn } = await import('../../lib/records/rules/rules.ts')
  const known = newStore()
  await sync(known, sheet.sheetId)
  const store = (): Store => {
    const state = known.states.get(sheet.sheetId)!
    // Orders at hand belong to a state: of this copy there are none.
    return { ...newStore(), states: new Map([[sheet.sheetId, { ...state }]]) }
  }
  return {
    store,
    reading: (fields, messages) => async () => {
      const names = [...fields.map(valueColumn), ...(messages ? ['messages'] : [])]
      const { segments } = await sync(known, sheet.sheetId)
      let bytes = 0
      for await (const { raw } of openAll(newStore(), segments, names))
        for (const text of raw.values()) bytes += text.length
      if (!bytes) throw new Error('Nothing was read')
    },
  }
}
