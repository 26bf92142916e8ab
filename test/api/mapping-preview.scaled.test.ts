import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { call, createFreshSpace, must } from '../support/fresh-account.ts'
import { createJob, execute, FIELDS, readLanded, toRecord } from '../support/mapping-previews.ts'
import { runs, TIMEOUT_MS } from '../support/runs.ts'

beforeAll(() => createFreshSpace({ name: 'Preview' }))

it(
  'executing a preview writes what was previewed, for any table, rules and records that exist',
  async () => {
    const cell = fc.constantFrom(
      null,
      'Ada',
      'Blaise',
      '7',
      '1.234,5',
      '01/02/2021',
      '31/12/2020',
      'free',
      'Professional',
    )
    // A row with a single text is a line between records, which is left out.
    const isRecord = (cells: unknown[]) => cells.filter((one) => one !== null).length !== 1
    const row = fc.array(cell, { minLength: 4, maxLength: 4 }).filter(isRecord)
    const keys = FIELDS.map(({ key }) => key)
    const target = fc.constantFrom(...keys)
    const filter = fc.constantFrom(undefined, 'name is not empty', 'paid eq 7')
    const rule = fc.oneof(
      fc
        .record({ sourceField: target, destinationField: target, filter })
        .map((config) => ({ type: 'assign', config })),
      fc
        .record({ destinationField: target, value: fc.constantFrom('Ada', 7, null) })
        .map((config) => ({ type: 'constant', config })),
      fc
        .record({ sourceFields: fc.uniqueArray(target, { minLength: 1 }), destinationField: target })
        .map((config) => ({ type: 'coalesce', config })),
      target.map((key) => ({
        type: 'read',
        config: {
          sourceField: `destination!${key}`,
          destinationField: key,
          reading: { type: 'number', decimalMark: ',' },
        },
      })),
      target.map((destinationField) => ({ type: 'delete', config: { destinationField } })),
    )
    const rules = fc.option(fc.array(rule, { minLength: 1, maxLength: 6 }), { nil: undefined })
    const tables = fc.record({
      rows: fc.array(row, { maxLength: 12 }),
      existing: fc.array(row, { maxLength: 4 }),
      rules,
    })
    await fc.assert(
      fc.asyncProperty(tables, async ({ rows, existing, rules: mappingRules }) => {
        const { jobId, destination } = await createJob(rows, { mappingRules })
        if (existing.length > 0) await must('POST', `/sheets/${destination}/records`, existing.map(toRecord))
        const response = await call('POST', `/jobs/${jobId}/preview`)
        if (response.status !== 200) {
          expect(response.status).toBe(422)
          await must('POST', `/jobs/${jobId}/execute`)
          const failed = await waitForJob(jobId)
          expect([failed.status, failed.info]).toEqual(['failed', response.body.errors[0].message])
          return
        }
        const { token, records, counts, columns } = response.body.data
        expect((await execute(jobId, token)).status).toBe(200)
        const job = await waitForJob(jobId)
        expect(job).toMatchObject({ status: 'completed', result: { counts } })
        const landed = await readLanded(destination)
        expect(landed.slice(existing.length)).toEqual(records)
        const invalid = landed.slice(existing.length).filter(({ valid }: { valid: boolean }) => !valid).length
        expect(counts).toEqual({
          ...{ created: rows.length, updated: 0, unchanged: 0, deleted: 0, skipped: { emptyKey: 0, noRecord: 0 } },
          ...{ valid: rows.length - invalid, invalid },
        })
        for (const { converted, unchanged, unreadable, empty } of columns)
          expect(converted + unchanged + unreadable + empty).toBe(rows.length)
      }),
      { numRuns: runs(100, 12) },
    )
  },
  TIMEOUT_MS,
)
