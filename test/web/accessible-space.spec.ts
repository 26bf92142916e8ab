import { beforeAll, expect, it } from 'vitest'
import { newActiveAccount } from './active-account.ts'
import { inBrowser, newPage, signInWithoutPage, waitUntil, withBrowser } from './browser.ts'
import { createChecks, SETTINGS } from './settings.ts'

inBrowser('a space', () => {
  withBrowser()
  let made: Awaited<ReturnType<typeof newActiveAccount>>
  beforeAll(async () => {
    made = await newActiveAccount()
  })

  it.each(SETTINGS)('has only plain texts, and nothing that axe-core finds: %s', async (_name, options) => {
    const { account, clip, space, sheet, document, job } = made
    const page = await newPage(options)
    await signInWithoutPage(page, account)
    const { found, visit, checkOpened } = createChecks(page)
    const paths = ['', '/activity', `/documents/${document.id}`, `/map/${job.id}`, '/files']
    for (const path of paths) await visit(`/s/${space.id}${path}`, path)
    const ofFile = page.locator('button[aria-label$=": people.csv"]')
    await waitUntil(async () => (await ofFile.count()) === 2)
    await checkOpened(ofFile.first())
    await visit(`/s/${space.id}/sheets/${clip.clipSheetId}`, 'clip')
    for (const button of await page.locator('.clip-bar button').all()) await checkOpened(button)
    await visit(`/s/${space.id}/sheets/${sheet.id}`, 'sheet')
    for (const tool of await page.locator('.toolbar .button').all())
      if ((await tool.isVisible()) && (await tool.isEnabled())) await checkOpened(tool)
    expect(found).toEqual({})
  })
})
