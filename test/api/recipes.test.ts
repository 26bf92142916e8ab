/** A recipe repeats the work on one file on the next one. */
import { beforeAll, describe, expect, it } from 'vitest'
import { runJob, waitForJob } from '../support/activity.ts'
import { createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { buildMappingJob, executeJob, readValues } from '../support/mapping-jobs.ts'
import {
  AMOUNT,
  ASSIGNED,
  createFile,
  createFileFor,
  edit,
  importFile,
  JULY,
  JUNE,
  keep,
  keepWork,
  listProblems,
  MUNICH,
  pickTexts,
  READ,
  RULES,
  readAll,
  type Sheets,
  STEPS,
  text,
} from '../support/recipes.ts'
import { api } from '../support/sdk.ts'

beforeAll(() => createFreshSpace({ name: 'Recipes' }))

describe('POST /jobs/{id}/recipe', () => {
  it('keeps the rules of the import and the later edits, shown as sentences', async () => {
    const { program, notKept, sheets, jobId } = await keepWork('kept')
    expect(await readAll(sheets.destination)).toEqual([
      ['Ada', 'München', '1980-02-01', 1234.5],
      ['Blaise', 'Wien', '1981-03-02', 12.5],
    ])
    expect(notKept).toEqual([])
    expect(program).toMatchObject({
      recipe: { name: 'Old system', automatic: false, forGuests: false, jobId },
      spaceId,
    })
    expect(pickTexts(program.recipe.steps)).toEqual(STEPS)
    expect(await must('GET', `/mapping/${program.id}`)).toEqual(program)
    const { data: read } = await api.mapping.getMappingProgram(program.id)
    expect(read.rules).toHaveLength(STEPS.length)
  })

  it('is listed, renamed, changed and deleted like other programs', async () => {
    const { program } = await keepWork('changed')
    const list = async () =>
      (await must('GET', '/mapping?recipes=true&pageSize=100')).map(({ id }: { id: string }) => id)
    expect(await list()).toContain(program.id)
    const renamed = await must('PATCH', `/mapping/${program.id}`, { recipe: { name: 'New', automatic: true } })
    expect(renamed.recipe).toMatchObject({ name: 'New', automatic: true, forGuests: false })
    await must('DELETE', `/mapping/${program.id}/rules`, { ruleIds: [program.rules.at(-1).id] })
    expect(pickTexts((await must('GET', `/mapping/${program.id}`)).recipe.steps)).toEqual(STEPS.slice(0, -1))
    await must('DELETE', `/mapping/${program.id}`)
    expect(await list()).not.toContain(program.id)
  })

  it('names what cannot be repeated, and leaves out what a restored version took back', async () => {
    const sheets = await createFileFor('left-out', { rows: JUNE })
    const { job } = await importFile(sheets, { mappingRules: RULES })
    const { id: snapshot } = await must('POST', '/snapshots', { sheetId: sheets.destination, label: 'Before' })
    await edit(sheets.destination, MUNICH)
    await must('POST', `/snapshots/${snapshot}/restore`)
    await edit(sheets.destination, MUNICH, `q=${encodeURIComponent('name eq Ada')}`)
    await edit(sheets.destination, AMOUNT)
    const { records } = await must('GET', `/sheets/${sheets.destination}/records`)
    await must('PUT', `/sheets/${sheets.destination}/records`, [
      { id: records[0].id, values: { name: { value: 'A' } } },
    ])
    const { program, notKept } = (await keep(job.id)).body.data
    expect(pickTexts(program.recipe.steps)).toEqual([...STEPS.slice(0, 5), STEPS[5]])
    expect(notKept).toEqual([
      'An edit of “city” was limited to selected records.',
      '1 other change of records cannot be repeated.',
    ])
  })

  it('is refused for an undone import and for other jobs', async () => {
    const { job } = await importFile(await createFileFor('undone', { rows: JUNE }), { mappingRules: RULES })
    await must('DELETE', `/jobs/${job.id}/import`)
    expect((await keep(job.id)).body.errors[0].message).toBe('The import was undone.')
    const { id } = await must('POST', '/jobs', buildMappingJob(await createFile()))
    expect((await keep(id)).body.errors[0].message).toBe('A recipe is made from a completed import.')
  })
})

describe('a recipe', () => {
  it('is applied on request, by the public SDK in the input of the job', async () => {
    const { recipeId } = await keepWork('requested')
    const sheets = await createFileFor('requested')
    const { data } = await api.jobs.create({
      ...buildMappingJob(sheets),
      input: { recipeId },
    } as unknown as Parameters<typeof api.jobs.create>[0])
    const preview = await must('POST', `/jobs/${data.id}/preview`)
    expect(
      preview.recipe.steps.map(({ status, count }: { status: string; count?: number }) => [status, count]),
    ).toEqual([...Array(4).fill(['applied', undefined]), ['applied', 2], ['applied', 2], ['applied', 1]])
    await must('POST', `/jobs/${data.id}/execute`, { preview: preview.token })
    const job = await waitForJob(data.id)
    expect(await readAll(sheets.destination)).toEqual(READ)
    expect(job.result.recipe).toEqual(preview.recipe)
    expect(job.outcome.message).toContain('Recipe “Old system”: 7 of 7 steps applied.')
    const { data: plan } = await api.jobs.getExecutionPlan(data.id)
    expect(plan.plan.fieldMapping).toHaveLength(4)
  })

  it('says that a step has nothing to do', async () => {
    const { recipeId } = await keepWork('nothing')
    const sheets = await createFileFor('nothing', { rows: [JULY[1]!] })
    const { job } = await importFile(sheets, { recipeId })
    expect(job.result.recipe.steps.at(-1)).toEqual({ text: STEPS.at(-1), status: 'nothing-to-do', count: 0 })
  })

  it('is applied to the next file if it is automatic, also to a job that starts immediately', async () => {
    const { recipeId } = await keepWork('automatic', { automatic: true })
    const sheets = await createFileFor('automatic')
    const { plan } = await importFile(sheets)
    expect(plan.recipe).toMatchObject({
      programId: recipeId,
      steps: STEPS.map((step) => ({ text: step, status: 'applied' })),
    })
    expect(await readAll(sheets.destination)).toEqual(READ)
    const other = await createFileFor('automatic')
    await runJob({ ...buildMappingJob(other), trigger: 'immediate' })
    expect(await readAll(other.destination)).toEqual(READ)
  })

  it('is not applied automatically if the job says so, to another sheet, or to a file with few of its columns', async () => {
    const { recipeId } = await keepWork('opted-out', { automatic: true })
    const getRecipe = async (sheets: Sheets, config: object = {}) => {
      const { id } = await must('POST', '/jobs', buildMappingJob(sheets, config))
      return (await must('GET', `/jobs/${id}/plan`)).plan.recipe?.programId
    }
    expect(await getRecipe(await createFileFor('opted-out'))).toBe(recipeId)
    expect(await getRecipe(await createFileFor('opted-out'), { recipe: false })).toBeUndefined()
    expect(await getRecipe(await createFileFor('opted-out'), { mappingRules: ASSIGNED })).toBeUndefined()
    expect(await getRecipe(await createFileFor('another'))).toBeUndefined()
    const few = { columns: ['Name', 'A', 'B', 'C'] }
    expect(await getRecipe(await createFileFor('opted-out', few))).toBeUndefined()
    await must('PATCH', `/mapping/${recipeId}`, { recipe: { automatic: false } })
    expect(await getRecipe(await createFileFor('opted-out'))).toBeUndefined()
  })
})

describe('an edit', () => {
  const FIELDS = [
    text('label'),
    { key: 'amount', type: 'number' },
    { key: 'date', type: 'date' },
    { key: 'done', type: 'boolean' },
    { key: 'color', type: 'enum', config: { options: [{ value: 'red' }, { value: 'blue' }] } },
    { key: 'tags', type: 'string-list' },
  ]
  const ROWS = [
    ['a', '1,5', '31/12/2020', 'ja', 'Red', 'x;y'],
    [null, '2.5', '2020-12-31', 'nein', 'red', 'x'],
    [' a', '12,5 kg', '01/02/2021', 'true', 'pink', null],
    ['A', null, null, null, null, 'x, y'],
  ]
  const EDITS = [
    {
      type: 'replace',
      fieldKey: 'label',
      replacements: [
        { from: 'a', to: 'b' },
        { from: null, to: 'none' },
      ],
    },
    { type: 'read', fieldKey: 'amount', pattern: '9,9', reading: { type: 'number', decimalMark: ',' } },
    { type: 'read', fieldKey: 'date', reading: { type: 'date', orders: { '/': 'dmy' } } },
    { type: 'read', fieldKey: 'done', reading: { type: 'boolean' } },
    {
      type: 'replace',
      fieldKey: 'color',
      replacements: [
        { from: 'Red', to: 'red' },
        { from: 'pink', to: null },
      ],
    },
    { type: 'split', fieldKey: 'tags', separator: ';' },
    { type: 'replace', fieldKey: 'tags', replacements: [{ from: ['x'], to: ['z'] }] },
  ]

  it('leaves the same cells in the next file as in the edited sheet', async () => {
    const keys = FIELDS.map(({ key }) => key)
    const file = { columns: keys, destination: FIELDS, rows: ROWS }
    const assigned = keys.map((key) => ({
      type: 'assign',
      config: { sourceField: key, destinationField: key, ...(key === 'tags' ? { delimiter: '|' } : {}) },
    }))
    const edited = await createFileFor('cells', file)
    const { job } = await importFile(edited, { mappingRules: assigned })
    for (const change of EDITS) await edit(edited.destination, change)
    const { program, notKept } = (await keep(job.id)).body.data
    expect(notKept).toEqual([])
    const next = await createFileFor('cells', file)
    const { job: repeated } = await importFile(next, { recipeId: program.id })
    const readCells = async (sheetId: string) =>
      (await must('GET', `/sheets/${sheetId}/records`)).records.map(
        ({ values }: { values: Record<string, { value: unknown; valid: boolean }> }) =>
          keys.map((key) => [values[key]!.value, values[key]!.valid]),
      )
    const cells = await readCells(edited.destination)
    expect(cells[0]).toEqual(['b', 1.5, '2020-12-31', true, 'red', ['x;y']].map((value) => [value, true]))
    expect(await readCells(next.destination)).toEqual(cells)
    const statuses = repeated.result.recipe.steps.slice(keys.length).map(({ status }: { status: string }) => status)
    expect(statuses).toContain('applied')
  })
})

describe('a step that no longer fits', () => {
  it('is left out with the steps that need it when its column is gone; the rest is suggested', async () => {
    const { recipeId } = await keepWork('renamed')
    const sheets = await createFileFor('renamed', { columns: ['Name', 'City', 'Geburtsdatum', 'Betrag'] })
    const { job, plan } = await importFile(sheets, { recipeId })
    expect(listProblems(plan.recipe.steps)).toEqual([
      [STEPS[1], 'The file has no column “Ort”.'],
      [STEPS[6], 'No earlier step fills the field “city”.'],
    ])
    expect(await readAll(sheets.destination)).toEqual([
      ['Carl', 'Muenchen', '1982-05-04', 7.25],
      ['Dora', 'Wien', '1983-12-31', 8],
    ])
    expect(job.outcome.message).toContain('Recipe “Old system”: 5 of 7 steps applied.')
    expect(job.outcome.message).toContain('The file has no column “Ort”.')
  })

  it('is left out when the dates are written another way', async () => {
    const { recipeId } = await keepWork('american')
    const rows = [
      ['Carl', 'Wien', '04/25/1982', '7'],
      ['Dora', 'Wien', '05/06/1983', '8'],
      ['Emil', 'Wien', '06/07/1984', '8'],
    ]
    const sheets = await createFileFor('american', { rows })
    const { plan } = await importFile(sheets, { recipeId })
    expect(listProblems(plan.recipe.steps)).toEqual([[STEPS[4], 'Texts such as “04/25/1982” are written another way.']])
    expect(await readValues(sheets.destination, 'birthday')).toEqual([['1982-04-25'], ['1983-05-06'], ['1984-06-07']])
  })

  it('is left out when it can read fewer texts than it leaves, and the column is asked about', async () => {
    const { recipeId } = await keepWork('years')
    const rows = [
      ['Carl', 'Wien', '04-05-1982', '7'],
      ['Dora', 'Wien', '05-06-1983', '8'],
    ]
    const sheets = await createFileFor('years', { rows })
    const { id } = await must('POST', '/jobs', buildMappingJob(sheets, { recipeId }))
    const { plan } = await must('GET', `/jobs/${id}/plan`)
    expect(listProblems(plan.recipe.steps)).toEqual([[STEPS[4], 'Only 0 of 2 different texts can be read this way.']])
    const [edge] = plan.fieldMapping.filter(
      ({ destinationField }: { destinationField: { key: string } }) => destinationField.key === 'birthday',
    )
    expect(edge.metadata.question.about).toBe('day-month-order')
  })

  it('is left out when its field is gone or has another type', async () => {
    const { recipeId } = await keepWork('fields')
    const destination = [text('name'), text('city'), { key: 'amount', type: 'string' }]
    const sheets = await createFileFor('fields', { destination })
    const { id } = await must('POST', '/jobs', buildMappingJob(sheets, { recipeId }))
    const { plan } = await must('GET', `/jobs/${id}/plan`)
    const gone = 'The sheet has no field “birthday”.'
    const changed = 'The field “amount” has the type string instead of number.'
    expect(listProblems(plan.recipe.steps)).toEqual([
      [STEPS[2], gone],
      [STEPS[3], changed],
      [STEPS[4], gone],
      [STEPS[5], changed],
    ])
  })

  it('is called removed when the person deletes it from the plan', async () => {
    const { recipeId } = await keepWork('removed')
    const { id } = await must('POST', '/jobs', buildMappingJob(await createFileFor('removed'), { recipeId }))
    const { programId } = (await must('GET', `/jobs/${id}/plan`)).plan
    const rules = await must('GET', `/mapping/${programId}/rules`)
    await must('DELETE', `/mapping/${programId}/rules`, { ruleIds: [rules.at(-1).id] })
    const { result } = await executeJob(id)
    expect(result.recipe.steps.at(-1)).toEqual({ text: STEPS.at(-1), status: 'removed' })
  })
})
