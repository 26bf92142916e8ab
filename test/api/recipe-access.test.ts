/** Recipes are limited to their space or environment, and to the callers they are for. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount } from '../support/api.ts'
import { type Caller, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { buildMappingJob, createSheets } from '../support/mapping-jobs.ts'
import {
  COLUMNS,
  CONTACTS,
  createFileFor,
  JULY,
  keep,
  keepWork,
  type Sheets,
  text,
  workOn,
} from '../support/recipes.ts'
import { createGuestCaller } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Access' }))

describe('the access to a recipe', () => {
  const getUsed = async (sheets: Sheets, by: Caller, config: object = {}) => {
    const { id } = await must('POST', '/jobs', buildMappingJob(sheets, config), by)
    return (await must('GET', `/jobs/${id}/plan`, undefined, by)).plan.recipe?.programId
  }
  const request = (sheets: Sheets, recipeId: string, by: Caller) =>
    by('POST', '/jobs', buildMappingJob(sheets, { recipeId }))

  it('is limited to its space, unless it is made for the environment', async () => {
    const { recipeId } = await keepWork('spaces', { automatic: true })
    const { id: otherSpace } = await must('POST', '/spaces', { name: 'Other' })
    const sheets = await createFileFor('spaces', { in: otherSpace })
    expect(await getUsed(sheets, call)).toBeUndefined()
    expect((await request(sheets, recipeId, call)).status).toBe(404)
    const shared = await keepWork('spaces', { automatic: true, scope: 'environment' })
    expect(await getUsed(sheets, call)).toBe(shared.recipeId)
  })

  it('is limited to its account', async () => {
    const { recipeId } = await keepWork('accounts', { automatic: true, scope: 'environment', forGuests: true })
    const other = createCaller((await createTestAccount()).secretKey)
    const { id: space } = await must('POST', '/spaces', { name: 'Foreign' }, other)
    const sheets = await createSheets({
      fields: COLUMNS.map(text),
      destination: CONTACTS,
      rows: JULY,
      in: space,
      by: other,
    })
    expect((await request(sheets, recipeId, other)).status).toBe(404)
    expect((await other('GET', `/mapping/${recipeId}`)).status).toBe(404)
  })

  it('belongs to the guest who made it, and not to another guest', async () => {
    const [one, two] = [await createGuestCaller({ id: spaceId }), await createGuestCaller({ id: spaceId })]
    const { jobId } = await workOn('guests', one)
    expect((await keep(jobId, {}, two)).status).toBe(403)
    expect((await keep(jobId, { scope: 'environment' }, one)).status).toBe(403)
    expect((await keep(jobId, { forGuests: true }, one)).status).toBe(403)
    const { program } = (await keep(jobId, { automatic: true }, one)).body.data
    const sheets = await createFileFor('guests')
    expect(await getUsed(sheets, one)).toBe(program.id)
    expect(await getUsed(sheets, one, { recipeId: program.id })).toBe(program.id)
    expect(await getUsed(sheets, two)).toBeUndefined()
    expect((await request(sheets, program.id, two)).status).toBe(404)
  })

  it('belongs to every guest of the space for a recipe that is for guests', async () => {
    const guest = await createGuestCaller({ id: spaceId })
    const hidden = await keepWork('for-guests', { automatic: true })
    const sheets = await createFileFor('for-guests')
    expect(await getUsed(sheets, guest)).toBeUndefined()
    expect((await request(sheets, hidden.recipeId, guest)).status).toBe(404)
    await must('PATCH', `/mapping/${hidden.recipeId}`, { recipe: { forGuests: true } })
    expect(await getUsed(sheets, guest)).toBe(hidden.recipeId)
  })

  it('does not include the rules of a program that is called a recipe', async () => {
    const guest = await createGuestCaller({ id: spaceId })
    const sheets = await createFileFor('not-a-recipe')
    const { id } = await must('POST', '/mapping', {
      source: { name: 'File', fields: COLUMNS.map(text) },
      destination: { name: 'Contacts', fields: CONTACTS },
      save: true,
    })
    expect((await request(sheets, id, guest)).status).toBe(404)
    const both = buildMappingJob(sheets, { programId: id, recipe: false }, { input: { recipeId: id } })
    expect((await guest('POST', '/jobs', both)).status).toBe(404)
  })
})
