/** A recipe merges imported records with their duplicates. */
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_MERGES_PER_PROGRAM } from '../../schemas/programs/limits.ts'
import { call, createFreshSpace, must } from '../support/fresh-account.ts'
import { readValues } from '../support/mapping-jobs.ts'
import {
  CONTACTS,
  createFileFor,
  importFile,
  JUNE,
  keep,
  pickTexts,
  RULES,
  readAll,
  STEPS,
} from '../support/recipes.ts'

beforeAll(() => createFreshSpace({ name: 'Merges' }))

describe('a merge', () => {
  const DUPLICATES = { fields: ['name', 'city'], method: 'fingerprint', radius: 2 }
  const MERGE = 'Merge records with the same name, city'

  async function keepMerge(slug: string, duplicates: object | undefined) {
    const sheets = await createFileFor(slug, { rows: [...JUNE, ['ada', 'Muenchen', null, null]] })
    const { job } = await importFile(sheets, { mappingRules: RULES })
    const found = await call('GET', `/sheets/${sheets.destination}/quality/duplicates?fields=name&fields=city`)
    const merges = found.body.data.map(({ merge }: { merge: object }) => merge)
    await must('POST', `/sheets/${sheets.destination}/quality/merge`, { merges, duplicates })
    return (await keep(job.id)).body.data
  }

  it('is repeated after the next import, for groups with an imported record, and undone with it', async () => {
    const { program } = await keepMerge('merged', DUPLICATES)
    expect(program.recipe.steps.at(-1)).toEqual({ text: MERGE })
    const sheets = await createFileFor('merged')
    const rows = ['Carl', 'Old', 'Old'].map((name) => ({ name, city: 'Muenchen' }))
    await must('POST', `/sheets/${sheets.destination}/records`, rows)
    const { job } = await importFile(sheets, { recipeId: program.id })
    expect(job.result.merges).toMatchObject([{ deleted: 1 }])
    expect(job.result.recipe.steps.at(-1)).toEqual({ text: MERGE, status: 'applied', count: 1 })
    expect((await readValues(sheets.destination, 'name')).flat().sort()).toEqual(['Carl', 'Dora', 'Old', 'Old'])
    const versions = await must('GET', `/sheets/${sheets.destination}/commits`)
    await must('DELETE', `/jobs/${job.id}/import`)
    expect((await readValues(sheets.destination, 'name')).flat()).toEqual(['Carl', 'Old', 'Old'])
    expect(await readValues(sheets.destination, 'birthday')).toEqual([[null], [null], [null]])
    await must('DELETE', `/jobs/${job.id}/import`)
    expect((await must('GET', `/sheets/${sheets.destination}/commits`)).length).toBe(versions.length + 2)
  })

  it('is undone after commits of others, unless they changed its records', async () => {
    const { program } = await keepMerge('merged-later', DUPLICATES)
    const sheets = await createFileFor('merged-later')
    await must('POST', `/sheets/${sheets.destination}/records`, [{ name: 'Carl', city: 'Muenchen' }, { name: 'Old' }])
    const { job } = await importFile(sheets, { recipeId: program.id })
    await must('POST', `/sheets/${sheets.destination}/records`, [{ name: 'Later' }])
    const { records } = await must('GET', `/sheets/${sheets.destination}/records`)
    const change = (name: string, city: string) => {
      const { id } = records.find(({ values }: { values: { name: { value: string } } }) => values.name.value === name)
      return must('PUT', `/sheets/${sheets.destination}/records`, [{ id, values: { city: { value: city } } }])
    }
    await change('Dora', 'Graz')
    const before = await readAll(sheets.destination)
    expect((await call('DELETE', `/jobs/${job.id}/import`)).status).toBe(409)
    expect(await readAll(sheets.destination)).toEqual(before)
  })

  it('is undone when others added records later', async () => {
    const { program } = await keepMerge('merged-added', DUPLICATES)
    const sheets = await createFileFor('merged-added')
    await must('POST', `/sheets/${sheets.destination}/records`, [{ name: 'Carl', city: 'Muenchen' }])
    const { job } = await importFile(sheets, { recipeId: program.id })
    await must('POST', `/sheets/${sheets.destination}/records`, [{ name: 'Later' }])
    await must('DELETE', `/jobs/${job.id}/import`)
    expect((await readValues(sheets.destination, 'name')).flat().sort()).toEqual(['Carl', 'Later'])
    expect(await readValues(sheets.destination, 'birthday')).toEqual([[null], [null]])
  })

  it('needs known fields', async () => {
    const { program } = await keepMerge('merged-fields', DUPLICATES)
    const { status, body } = await call('PATCH', `/mapping/${program.id}`, { merges: [{ fields: ['name', 'nick'] }] })
    expect([status, body.errors]).toEqual([
      400,
      [{ key: 'merges.0.fields.1', message: 'the destination has no field nick' }],
    ])
  })

  it('cannot be repeated without a search, and the reply says so', async () => {
    const { program, notKept } = await keepMerge('plain-merge', undefined)
    expect(pickTexts(program.recipe.steps)).toEqual(STEPS.slice(0, 5))
    expect(notKept).toEqual(['A merge did not say how its duplicates were found.'])
  })

  it('is left out beyond the published number of searches, and the reply says so', async () => {
    const pairs = Array.from({ length: MAX_MERGES_PER_PROGRAM + 1 }, (_, at) => [`Ada ${at}`, 'Wien', null, null])
    const sheets = await createFileFor('many-merges', { rows: [...pairs, ...pairs] })
    const { job } = await importFile(sheets, { mappingRules: RULES })
    const found = await call('GET', `/sheets/${sheets.destination}/quality/duplicates?fields=name&pageSize=50`)
    const merges = found.body.data.map(({ merge }: { merge: object }) => merge)
    expect(merges).toHaveLength(pairs.length)
    const listFields = (at: number) => CONTACTS.map(({ key }) => key).filter((_, bit) => ((at + 1) >> bit) & 1)
    for (const [at, merge] of merges.entries()) {
      const duplicates = { fields: listFields(at % 15), radius: 1 + Math.floor(at / 15) }
      await must('POST', `/sheets/${sheets.destination}/quality/merge`, { merges: [merge], duplicates })
    }
    const { program, notKept } = (await keep(job.id)).body.data
    expect(program.merges).toHaveLength(MAX_MERGES_PER_PROGRAM)
    expect(notKept).toEqual(['The recipe has only the first 20 of 21 searches for duplicates.'])
  })
})
