import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getAccessToken } from '../support/api.ts'
import { callTool, type ModelServer, say, startModelServer } from '../support/model-server.ts'
import {
  createCaller,
  createTestAccount,
  findViolations,
  inBrowser,
  mintSpace,
  newPage,
  type PageOptions,
  signInWithoutPage,
  waitUntil,
  withBrowser,
} from './browser.ts'
import { newGuestPage } from './guest.ts'

inBrowser('the assistant of a space', () => {
  withBrowser()
  let model: ModelServer
  beforeAll(async () => {
    model = await startModelServer()
  })
  afterAll(() => model.close())

  async function openSpace(options?: PageOptions) {
    const account = await createTestAccount()
    const made = await mintSpace(account)
    const administrator = createCaller(await getAccessToken(account))
    const { environmentId } = account
    await administrator('PUT', '/assistant', { environmentId, provider: 'openai', url: model.url, model: 'scripted' })
    await made.call('POST', `/sheets/${made.sheet.id}/records`, [
      { name: 'Ada', status: 'Active' },
      { name: 'Grace', status: 'gone' },
    ])
    const page = await newPage(options)
    await signInWithoutPage(page, account)
    await page.goto(`/s/${made.space.id}`)
    return { ...made, page }
  }

  const question = (page: Page) => page.getByRole('textbox').last()

  it('proposes a fix, which is applied and undone by buttons, and starts a new conversation', async () => {
    const { page, call, sheet } = await openSpace()
    const readStatuses = async () => {
      const { records } = (await call('GET', `/sheets/${sheet.id}/records`)).body.data
      return records.map(({ values }: { values: { status: { value: unknown } } }) => values.status.value)
    }
    await page.getByRole('link', { name: 'Assistant' }).click()
    await page.getByText('Ask about the data of this space').waitFor()
    expect(await findViolations(page)).toEqual([])
    const arguments_ = { sheetId: sheet.id }
    model.script(callTool('list_errors', arguments_), callTool('propose_fix', { fix: 'fix-1' }), say('One value.'))
    await question(page).fill('Which values are wrong?')
    await question(page).press('Enter')
    const proposal = page.getByRole('article', { name: 'Correct values' })
    await proposal.waitFor()
    await page.getByText('One value.').waitFor()
    expect(await proposal.innerText()).toContain('1 record')
    await proposal.getByRole('cell', { name: 'Status', exact: true }).waitFor()
    expect(await findViolations(page, { inBothSchemes: true })).toEqual([])
    const before = await readStatuses()
    await proposal.getByRole('button', { name: 'Apply' }).click()
    await proposal.getByText('Applied').waitFor()
    expect(await readStatuses()).not.toEqual(before)
    await proposal.getByRole('button', { name: 'Undo' }).click()
    await proposal.getByText('Undone').waitFor()
    expect(await readStatuses()).toEqual(before)
    await page.getByRole('button', { name: 'New conversation' }).click()
    await proposal.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Ask about the data of this space').waitFor()
  })

  it('says on a phone that the model cannot be used, and proposes nothing', async () => {
    const { page, space } = await openSpace({ width: 390, language: 'de-DE', dark: true })
    await page.goto(`/s/${space.id}/assistant`)
    model.script(() => ({ status: 500, text: 'broken' }))
    await question(page).fill('Was ist falsch?')
    await page.getByRole('button', { name: 'Fragen' }).click()
    await waitUntil(async () => (await page.locator('.conversation > .assistant').count()) > 0)
    await page.getByText('Der Assistent antwortet…').waitFor({ state: 'detached' })
    expect(await page.locator('.conversation > li').count()).toBe(2)
    expect(await page.getByRole('article').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  })

  it('is not offered to guests', async () => {
    const { page } = await newGuestPage()
    await page.getByRole('link', { name: 'Activity' }).waitFor()
    expect(await page.getByRole('link', { name: 'Assistant' }).count()).toBe(0)
  })
})
