import { SEND_OPERATION } from './blueprint.ts'
import { findOrCreateWorkbook, wharf } from './workbook.ts'

const { id: source } = await findOrCreateWorkbook()
const { id } = await wharf.jobs.create({ type: 'workbook', operation: SEND_OPERATION, source, trigger: 'immediate' })
const { outcome } = await wharf.jobs.wait(id, { signal: AbortSignal.timeout(60_000) })
console.log(outcome?.message)
