/** Settings that administrators change later: agents, the look of spaces, and the workbook of new spaces. */
import { expect, it } from 'vitest'
import {
  createCaller,
  createTestAccount,
  findViolations,
  inBrowser,
  mintSpace,
  newPage,
  type PageOptions,
  signInWithoutPage,
  type TestAccount,
  waitUntil,
  withBrowser,
} from './browser.ts'

async function openConsole(account: TestAccount, path: string, options: PageOptions = {}) {
  const page = await newPage(options)
  await signInWithoutPage(page, account)
  await page.goto(`/console/${account.environmentId}/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const CODE = `exports.routeEvent = async () => console.log('<b>hello</b>')`

inBrowser('the settings in the console', () => {
  withBrowser()

  it('disable and enable an agent, whose code is shown as it was deployed', async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    const path = `/agents?environmentId=${account.environmentId}`
    const agent = (await call('POST', path, { slug: 'greeter', topics: ['space:created'], source: CODE })).body.data
    const page = await openConsole(account, `agents/${agent.id}`)
    const isActive = async () => (await call('GET', `/agents/${agent.id}`)).body.data.isActive
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Events don’t call this agent').waitFor()
    await page.getByText('Disabled', { exact: true }).waitFor()
    expect(await isActive()).toBe(false)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Code' }).click()
    await waitUntil(async () => (await page.locator('pre').innerText()) === CODE)
    await page.getByText('The bundle of version 1, as it runs.').waitFor()
    expect(await findViolations(page)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('index.js')
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    expect(await isActive()).toBe(true)
  })

  it('change the look of an environment and of a space, which guests see', async () => {
    const account = await createTestAccount()
    const { call, space } = await mintSpace(account)
    const page = await openConsole(account, `environments/${account.environmentId}`)
    const look = page.locator('form').filter({ hasText: 'All spaces of this environment look like this' })
    await look.getByLabel('Welcome text').fill('Welcome to all of us.')
    await look.getByLabel('Brand color').fill('#5b3df5')
    await look.getByRole('button', { name: 'Save look' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await findViolations(page)).toEqual([])
    const readBranding = async () => (await call('GET', `/spaces/${space.id}`)).body.data.branding
    expect(await readBranding()).toEqual({ primaryColor: '#5b3df5', welcomeText: 'Welcome to all of us.' })

    await page.goto(`/console/${account.environmentId}/spaces/${space.id}/settings`)
    const own = page.locator('form').filter({ hasText: 'Guests see this in the space' })
    await page.getByRole('figure', { name: 'Preview' }).getByText('Welcome to all of us.').waitFor()
    await own.getByLabel('Welcome text').fill('Welcome to this one.')
    await own.getByRole('button', { name: 'Save look' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await readBranding()).toEqual({ primaryColor: '#5b3df5', welcomeText: 'Welcome to this one.' })
    await page.goto(`/s/${space.id}`)
    await page.getByText('Welcome to this one.').waitFor()
    expect(await page.evaluate("document.documentElement.style.getPropertyValue('--accent')")).toContain('#5b3df5')
  })

  it('replace the workbook of new spaces by that of a space, and remove it', async () => {
    const account = await createTestAccount()
    const { call } = await mintSpace(account, 'Contacts of June')
    const page = await openConsole(account, `environments/${account.environmentId}`)
    const section = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Workbook of new spaces' }) })
    await section.getByText('New spaces start without a workbook.').waitFor()
    await section.getByRole('button', { name: 'Choose a workbook…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await section.getByText('People').waitFor()
    expect(await findViolations(page)).toEqual([])
    const { environmentId } = account
    const space = (await call('POST', '/spaces', { environmentId, name: 'July', autoConfigure: true })).body.data
    const workbooks = (await call('GET', `/workbooks?spaceId=${space.id}`)).body.data
    expect(workbooks.map(({ name }: { name: string }) => name)).toEqual(['Contacts'])
    expect(workbooks[0].sheets[0].config.fields).toHaveLength(4)
    await section.getByRole('button', { name: /^Replace…/ }).waitFor()
    await section.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await section.getByText('New spaces start without a workbook.').waitFor()
  })
})
