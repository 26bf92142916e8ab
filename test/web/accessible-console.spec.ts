import { beforeAll, expect, it } from 'vitest'
import { newActiveAccount } from './active-account.ts'
import { inBrowser, newPage, signInWithoutPage, withBrowser } from './browser.ts'
import { createChecks, SETTINGS } from './settings.ts'

const GROUPS = [
  ['home', 'start', 'builder', 'spaces', 'files', 'guests'],
  ['jobs', 'events', 'agents', 'webhooks', 'secrets', 'retention'],
  ['keys', 'environments', 'users', 'tokens', 'usage', 'audit'],
]
const TABS = ['guests', 'files', 'jobs', 'events', 'settings']

inBrowser('the console', () => {
  withBrowser()
  let made: Awaited<ReturnType<typeof newActiveAccount>>
  beforeAll(async () => {
    made = await newActiveAccount()
  })

  const visits = SETTINGS.flatMap(([name, options]) =>
    GROUPS.map((pages) => [`${name}, from ${pages[0]} to ${pages.at(-1)}`, pages, options] as const),
  )
  it.each(visits)('has only plain texts, and nothing that axe-core finds: %s', async (_name, pages, options) => {
    const { account, space } = made
    const page = await newPage(options)
    await signInWithoutPage(page, account)
    const { found, check, visit, checkOpened } = createChecks(page)
    for (const name of pages) {
      await visit(`/console/${account.environmentId}/${name}`, name)
      const opens = page.locator('.page-head button.primary:not(:disabled)')
      if ((await opens.count()) > 0 && name !== 'keys') await checkOpened(opens.first())
      const row = page.locator('tr.linked a').first()
      if ((await row.count()) === 0 || name === 'home') continue
      await row.click()
      await page.waitForURL(`**/${name}/us_*`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await check(`${name}, the first of them`)
    }
    for (const tab of pages.includes('spaces') ? TABS : [])
      await visit(`/console/${account.environmentId}/spaces/${space.id}/${tab}`, `a space, ${tab}`)
    expect(found).toEqual({})
  })
})
