import type { Page } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { PAGES } from '../../../web/console/navigation.ts'
import { getAccessToken } from '../../support/api.ts'
import { createCaller, inBrowser, newPage, signInWithoutPage, withBrowser } from '../browser.ts'
import { useCamera } from './camera.ts'
import { newOffice } from './office.ts'

inBrowser('the images of the console', () => {
  withBrowser()
  const { take, expectAllTaken } = useCamera('console')
  let office: Awaited<ReturnType<typeof newOffice>>
  beforeAll(async () => {
    office = await newOffice()
  })
  afterAll(() => office?.close())

  async function openConsole() {
    const page = await newPage()
    await signInWithoutPage(page, office.account)
    const visit = async (path: string) => {
      await page.goto(`/console/${office.account.environmentId}/${path}`)
      await page.locator('main h1').first().waitFor()
    }
    return { page, visit }
  }

  const takeTabs = async (page: Page, visit: (path: string) => Promise<void>, name: string, prefix: string) => {
    const links = page.locator('main nav').first().locator('a')
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
    for (const path of paths.slice(1)) {
      const tab = path.split('/').at(-1)!
      await visit(`${name}/${office.ids[name]}/${tab}`)
      await take(page, `${prefix}-${tab}`)
    }
  }

  it('show the ways in', async () => {
    const page = await newPage()
    await page.goto('/sign-in')
    await take(page, 'sign-in')
    await page.goto('/signed-in#token=of-another-tab')
    await page.getByText('not started in this tab').waitFor()
    await take(page, 'sign-in-foreign')
    const { email, password } = office.account
    const accessToken = await getAccessToken({ email, password })
    const mails = (await createCaller(accessToken)('GET', '/invitations')).body.data as { text: string }[]
    await page.goto(mails.map(({ text }) => /\S+\/accept-invite#\S+/.exec(text)?.[0]).find(Boolean)!)
    await page.getByLabel('Password').fill('a password of her own')
    await take(page, 'accept-invite')
  })

  it('show its pages', async () => {
    const { page, visit } = await openConsole()
    for (const name of Object.keys(PAGES).filter((one) => one !== 'builder')) {
      await visit(name)
      await take(page, `console-${name}`)
    }
    await visit('nonsense')
    await take(page, 'console-missing')
  })

  it('show the pages of its objects', async () => {
    const { page, visit } = await openConsole()
    for (const name of Object.keys(PAGES).filter((one) => PAGES[one]!.ObjectPage)) {
      await visit(`${name}/${office.ids[name]}`)
      await take(page, `console-${name.slice(0, -1)}`)
    }
    await visit(`environments/${office.ids.environments}`)
    await page.getByText('Members of a chapter').scrollIntoViewIfNeeded()
    await take(page, 'console-default-workbook')
    await visit(`spaces/${office.ids.spaces}`)
    await takeTabs(page, visit, 'spaces', 'console-space')
    await visit(`agents/${office.ids.agents}`)
    await takeTabs(page, visit, 'agents', 'console-agent')
  })

  it('show what opens on them', async () => {
    const { page, visit } = await openConsole()
    await visit(`agents/${office.ids.agents}`)
    await page.getByRole('button', { name: 'commit:created' }).first().click()
    await page.getByRole('dialog').getByText('No mail server').first().waitFor()
    await take(page, 'console-agent-run')
    await visit(`webhooks/${office.ids.webhooks}`)
    await page.getByRole('button', { name: 'space:created', exact: true }).first().click()
    await page.getByRole('dialog').getByText('received').first().waitFor()
    await take(page, 'console-delivery')
    await visit(`spaces/${office.spaceId}/settings`)
    await page.getByRole('button', { name: 'Delete space: Spring import' }).click()
    await page.getByRole('dialog').getByLabel('Type “Spring import” to confirm').fill('Spring')
    await take(page, 'console-confirm')
    await visit('home')
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await page.keyboard.type('ber')
    await page.getByRole('option', { name: /Members of Berlin/ }).waitFor()
    await take(page, 'console-search')
  })

  it('show all that the list has', () => expectAllTaken())
})
