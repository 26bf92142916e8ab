/** Lines of a source that are not records, over HTTP: the plan lists them, and the import leaves out exactly these. */
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { call, createFreshSpace, must } from '../support/fresh-account.ts'
import { buildMappingJob, createSheets, textField } from '../support/mapping-jobs.ts'
import { execute, preview } from '../support/mapping-previews.ts'
import { readRecords } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Other lines' }))

const FIELDS = ['id', 'customer', 'city', 'day', 'amount'].map((key) => textField(key))
const DESTINATION = [...FIELDS.slice(0, 4), { key: 'amount', type: 'number' }]
const RECORDS = Array.from({ length: 8 }, (_, at) => [
  `A-${at}`,
  at % 2 === 0 ? 'Total SA' : 'Ada',
  at % 3 === 0 ? 'Report' : 'Ely',
  `${at + 10}.03.2024`,
  `${at},50`,
])
const ROWS = [
  ...RECORDS.slice(0, 4),
  [null, 'Übertrag', null, null, '6,50'],
  ['LIST', null, null, 'Seite 2', null],
  ...RECORDS.slice(4),
  ['Total', null, null, null, '32,00'],
  ['* estimated', null, null, null, null],
]
const LINES: [kind: string, rows: number[]][] = [
  ['total', [11]],
  ['carry-over', [5]],
  ['page', [6]],
  ['text', [12]],
]
const TEXTS = [
  'Lines left out as totals: 1 (rows 11).',
  'Lines left out as amounts carried over: 1 (rows 5).',
  'Lines left out as page headings: 1 (rows 6).',
  'Lines left out as headings or notes: 1 (rows 12).',
]

async function createJob(config: object = {}) {
  const sheets = await createSheets({ fields: FIELDS, destination: DESTINATION, rows: ROWS })
  const { id } = await must('POST', '/jobs', buildMappingJob(sheets, config))
  return { ...sheets, jobId: id as string }
}
const readPlan = async (jobId: string) => (await must('GET', `/jobs/${jobId}/plan`)).plan
const listLines = (groups: { kind: string; rows: number[] }[]) => groups.map(({ kind, rows }) => [kind, rows])
const readIds = async (sheetId: string) =>
  (await readRecords(sheetId)).map(({ values }: { values: Record<string, { value: unknown }> }) => values.id?.value)
async function run(jobId: string) {
  const seen = await preview(jobId)
  expect((await execute(jobId, seen.token)).status).toBe(200)
  return { seen, job: await waitForJob(jobId) }
}

describe('lines that are not records', () => {
  it('are listed by the plan, and left out as previewed', async () => {
    const { jobId, destination } = await createJob()
    const { otherLines } = await readPlan(jobId)
    expect(otherLines.leaveOut).toBe(true)
    expect(listLines(otherLines.lines)).toEqual(LINES)
    expect(otherLines.lines[0]).toMatchObject({ count: 1, examples: [{ row: 11, cells: ['Total', '32,00'] }] })
    const { seen, job } = await run(jobId)
    expect(listLines(seen.otherLines)).toEqual(LINES)
    expect(seen).toMatchObject({ counts: { created: 8 }, recordCount: 12, countedRecords: 12, isComplete: true })
    expect(job.result).toMatchObject({ records: 8, otherLines: seen.otherLines })
    for (const text of TEXTS) expect(job.outcome.message).toContain(text)
    expect(await readIds(destination)).toEqual(RECORDS.map(([id]) => id))
  })

  it.each([
    ['PATCH', () => ({})],
    [
      'PUT',
      ({ fieldMapping, unmappedSourceFields, unmappedDestinationFields }: Record<string, unknown>) => ({
        fieldMapping,
        unmappedSourceFields,
        unmappedDestinationFields,
      }),
    ],
  ] as const)('stay if the plan says so by %s, and are left out again', async (method, toBody) => {
    const { jobId, destination } = await createJob()
    const change = async (leaveOut: boolean | undefined) => {
      const body = toBody(await readPlan(jobId))
      const otherLines = leaveOut === undefined ? {} : { otherLines: { leaveOut } }
      return (await must(method, `/jobs/${jobId}/plan`, { ...body, ...otherLines })).plan.otherLines
    }
    const stale = (await preview(jobId)).token
    expect(await change(false)).toMatchObject({ leaveOut: false, lines: [{ kind: 'total' }, {}, {}, {}] })
    expect(await change(undefined)).toMatchObject({ leaveOut: false })
    expect((await execute(jobId, stale)).status).toBe(409)
    expect(await preview(jobId)).toMatchObject({ otherLines: [], counts: { created: 12 } })
    expect(await change(true)).toMatchObject({ leaveOut: true })
    expect(await preview(jobId)).toMatchObject({ counts: { created: 8 } })
    await change(false)
    const { job } = await run(jobId)
    expect(job.result.otherLines).toBeUndefined()
    expect(await readIds(destination)).toHaveLength(12)
  })

  it('stay if the job says so, or without the rule', async () => {
    const kept = await createJob({ otherLines: 'keep' })
    expect((await readPlan(kept.jobId)).otherLines).toMatchObject({ leaveOut: false })
    expect(await preview(kept.jobId)).toMatchObject({ counts: { created: 12 } })
    const wrong = buildMappingJob(await createSheets({ fields: FIELDS, destination: DESTINATION }), {
      otherLines: 'no',
    })
    expect((await call('POST', '/jobs', wrong)).status).toBe(400)
    const { jobId } = await createJob()
    const { programId } = await readPlan(jobId)
    const { rules } = await must('GET', `/mapping/${programId}`)
    const { id } = rules.find(({ type }: { type: string }) => type === 'leave-out')
    await must('DELETE', `/mapping/${programId}/rules`, { ruleIds: [id] })
    expect((await readPlan(jobId)).otherLines).toBeUndefined()
    expect(await preview(jobId)).toMatchObject({ counts: { created: 12 } })
  })

  it('are left out by a recipe of the import', async () => {
    const { jobId, destination } = await createJob()
    await run(jobId)
    const { program } = await must('POST', `/jobs/${jobId}/recipe`, { name: 'List', scope: 'space' })
    const text = 'Leave out totals, headings and other lines that are not records'
    expect(program.recipe.steps).toContainEqual(expect.objectContaining({ text }))
    const sheets = await createSheets({ fields: FIELDS, destination: DESTINATION, rows: ROWS.slice(2) })
    const { id } = await must('POST', '/jobs', buildMappingJob({ ...sheets, destination }, { recipeId: program.id }))
    const plan = await readPlan(id)
    expect(plan.recipe.steps).toContainEqual(expect.objectContaining({ text, status: 'applied' }))
    expect(listLines(plan.otherLines.lines)).toEqual(LINES.map(([kind, rows]) => [kind, rows.map((row) => row - 2)]))
    expect(await preview(id)).toMatchObject({ counts: { created: 6 } })
  })
})
