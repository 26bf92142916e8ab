/** `workbook:map` is offered between two sheets of one space; its plan is made of rules: suggested, told, or a program's. */
import * as operations from '../../../schemas/operations.ts'
import { isMeant } from './config.ts'
import { sheetsOf } from './mapped-sheets.ts'
import type { Offer } from './offer.ts'

export const map: Offer = {
  operation: operations.map,
  takes: (job) => isMeant(operations.map, job),
  check: async (job, place) => {
    const sheets = await sheetsOf(job, place)
    const { givenRules } = await import('../map-plan.ts')
    await givenRules(job, place, sheets)
  },
  plan: async (job, place) => {
    const { planFor } = await import('../map-plan.ts')
    return planFor(job, place, await sheetsOf(job, place))
  },
}
