import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { getAccessToken } from '../support/api.ts'
import { newActiveAccount } from './active-account.ts'
import {
  createCaller,
  createTestAccount,
  findViolations,
  inBrowser,
  mintSpace,
  newPage,
  signIn,
  signInWithoutPage,
  type TestAccount,
  waitUntil,
  withBrowser,
} from './browser.ts'

const visit = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

const openConsole = async (account: TestAccount, path = 'home', options: Parameters<typeof newPage>[0] = {}) => {
  const page = await newPage(options)
  await signInWithoutPage(page, account)
  await page.goto(`/console/${account.environmentId}/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

inBrowser('the console', () => {
  withBrowser()

  it('shows a secret key only on request, creates one and deletes it: it is rejected immediately', async () => {
    const account = await createTestAccount()
    const page = await newPage()
    await signIn(page, account)
    await visit(page, 'Keys')
    await page.getByText('••••').first().waitFor()
    expect(await page.content()).not.toContain(account.secretKey)
    await page
      .getByRole('button', { name: /^Show: / })
      .first()
      .click()
    await page.getByText(account.secretKey).waitFor()
    await page.getByRole('button', { name: 'New secret key' }).click()
    await waitUntil(async () => (await page.getByRole('row').count()) === 4)
    const keys = (await createCaller(account.secretKey)('GET', '/auth/api-keys')).body.data
    const made = keys.find(
      (key: { type: string; rawKey: string }) => key.type === 'SECRET' && key.rawKey !== account.secretKey,
    )
    expect((await createCaller(made.rawKey)('GET', '/spaces')).status).toBe(200)
    await page.getByRole('button', { name: `Delete: …${made.rawKey.slice(-4)}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await waitUntil(async () => (await page.getByRole('row').count()) === 3)
    expect((await createCaller(made.rawKey)('GET', '/spaces')).status).toBe(401)
  })

  it('shows a personal access token once, in the profile menu, with the client ID of the legacy pair', async () => {
    const account = await createTestAccount()
    const page = await newPage()
    await signIn(page, account)
    await page.getByRole('button', { name: `Profile: ${account.email}` }).click()
    await page.getByRole('menuitem', { name: 'Personal access tokens' }).click()
    await page.getByRole('heading', { name: 'Personal access tokens', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('nightly')
    await page.getByRole('button', { name: 'Create' }).click()
    const value = await page.locator('.once').innerText()
    const clientId = await page.getByRole('dialog').locator('dd code').innerText()
    expect((await createCaller(value)('GET', '/environments')).status).toBe(200)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('row').filter({ hasText: 'nightly' }).getByText(clientId).waitFor()
    expect(await page.content()).not.toContain(value)
    const exchanged = await createCaller(undefined)('POST', '/auth', { clientId, secret: value })
    expect([exchanged.status, exchanged.body.userId]).toEqual([200, account.userId])
    await page.getByRole('button', { name: 'Delete: nightly' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No tokens yet.').waitFor()
    expect((await createCaller(value)('GET', '/environments')).status).toBe(401)
  })

  it('creates a space, shows its guest link, invites a guest with a link to copy, and revokes the access', async () => {
    const account = await createTestAccount()
    const page = await newPage()
    await signIn(page, account)
    await page.getByText('No spaces yet').waitFor()
    await visit(page, 'Spaces')
    await page.getByRole('button', { name: 'New space' }).click()
    await page.getByLabel('Name').fill('Autumn import')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Autumn import', level: 1 }).waitFor()
    await page.getByRole('navigation', { name: 'Autumn import' }).getByRole('link', { name: 'Guests' }).click()
    await page.waitForURL('**/guests')
    const call = createCaller(account.secretKey)
    const [space] = (await call('GET', '/spaces')).body.data
    const { guestLink } = (await call('GET', `/spaces/${space.id}`)).body.data
    await page.getByText(guestLink).waitFor()
    await page.getByRole('button', { name: 'Invite people' }).click()
    await page.getByLabel('Email address').fill('grace@example.com')
    await page.getByLabel('Name').fill('Grace')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('cell', { name: 'grace@example.com' }).waitFor()
    expect((await call('GET', '/invitations')).body.data).toHaveLength(1)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link: Grace' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`/s/${space.id}`)
    await page.getByRole('button', { name: 'Remove access: Grace Autumn import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
    await waitUntil(async () =>
      (await call('GET', '/guests')).body.data.every((guest: { spaces: object[] }) => guest.spaces.length === 0),
    )
  })

  it('archives a space, and deletes it only after its name was typed', async () => {
    const account = await createTestAccount()
    const { space, call } = await mintSpace(account)
    const page = await openConsole(account, `spaces/${space.id}/settings`)
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('Archived', { exact: true }).waitFor()
    expect((await call('GET', `/spaces/${space.id}`)).body.data.archivedAt).toBeDefined()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete space: Spring import' }).click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Delete space' })
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Type “Spring import” to confirm').fill('Spring')
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Type “Spring import” to confirm').fill('Spring import')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/spaces')
    expect((await call('GET', `/spaces/${space.id}`)).status).toBe(404)
  })

  it('asks for the name of an environment before it is deleted', async () => {
    const account = await createTestAccount()
    const page = await openConsole(account, 'environments')
    await page.getByRole('link', { name: 'production' }).click()
    await page.getByRole('button', { name: 'Delete environment: production' }).click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Delete environment' })
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Type “production” to confirm').fill('prod')
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Type “production” to confirm').fill('production')
    expect(await button.isEnabled()).toBe(true)
    expect(await findViolations(page)).toEqual([])
  })

  it('immediately leads to the other environments when one is deleted', async () => {
    const account = await createTestAccount()
    const { email, password } = account
    const accessToken = await getAccessToken({ email, password })
    const call = createCaller(accessToken)
    await call('POST', '/environments', { name: 'staging', isProd: false })
    const page = await openConsole(account, 'environments')
    for (const name of ['staging', 'development']) {
      const row = page.getByRole('link', { name, exact: true })
      await row.click()
      await page.getByRole('button', { name: `Delete environment: ${name}` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(`Type “${name}” to confirm`).fill(name)
      const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok())
      await dialog.getByRole('button', { name: 'Delete environment' }).click()
      await deleted
      await page.getByRole('heading', { name: 'Environments', level: 1 }).waitFor({ timeout: 2000 })
      await page.getByText(`“${name}” is deleted.`).waitFor()
      expect(await row.count()).toBe(0)
    }
  })

  it('groups its pages, and has the tokens in the profile menu', async () => {
    const page = await openConsole(await createTestAccount())
    const navigation = page.getByRole('navigation', { name: 'Navigation' })
    const groups = await navigation.locator('.group').allInnerTexts()
    expect(groups.map((name) => name.toLowerCase())).toEqual(['work', 'people', 'build', 'account'])
    expect(await navigation.getByRole('link', { name: 'Personal access tokens' }).count()).toBe(0)
  })

  it('invites a user who chooses a password and administers only one environment', async () => {
    const account = await createTestAccount()
    const page = await newPage()
    await signIn(page, account)
    await visit(page, 'Users and roles')
    await page.getByRole('button', { name: 'Invite people' }).click()
    const email = `grace-${Date.now()}@example.com`
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Administrator' })
    await page.getByLabel('Applies to', { exact: true }).selectOption({ label: 'development' })
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('cell', { name: email, exact: true }).waitFor()
    await page.getByRole('link', { name: 'Grace' }).click()
    await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()
    await page.getByRole('row').filter({ hasText: 'Administrator' }).filter({ hasText: 'development' }).waitFor()
    const token = await page.evaluate("JSON.parse(sessionStorage.getItem('wharf.session')).token")
    const mails = (await createCaller(token as string)('GET', '/invitations')).body.data as { text: string }[]
    const link = mails.map(({ text }) => /\S+\/accept-invite#\S+/.exec(text)?.[0]).find(Boolean)!
    const other = await newPage()
    await other.goto(link)
    await other.getByLabel('Password').fill('a password of her own')
    expect(other.url()).not.toContain('token')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await other.getByRole('button', { name: /^Environment/ }).click()
    expect(await other.getByRole('listbox').getByRole('option').count()).toBe(1)
  })

  it("follows events, shows an agent's failure with its log, and retries it", { timeout: 180_000 }, async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    await call('POST', '/agents', {
      slug: 'brittle',
      topics: ['space:created'],
      source: "exports.routeEvent = () => { console.log('about to break'); throw new Error('broken here') }",
    })
    const page = await newPage()
    await signIn(page, account)
    await visit(page, 'Events')
    await page.getByRole('link', { name: 'agent:created' }).first().waitFor()
    await mintSpace(account)
    await page.getByRole('link', { name: 'space:created' }).first().waitFor()
    await page.getByRole('button', { name: /^Topic/ }).click()
    await page.keyboard.type('space:created')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**topic=space*')
    await waitUntil(async () => (await page.getByRole('link', { name: 'workbook:created' }).count()) === 0)
    await page.getByRole('link', { name: 'space:created' }).first().click()
    await page.getByRole('heading', { name: 'space:created', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Spring import' }).waitFor()
    await visit(page, 'Agents')
    await page.getByRole('link', { name: 'brittle' }).click()
    await waitUntil(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return (await page.getByText('broken here').count()) > 0
    }, 120)
    await page.getByRole('button', { name: 'space:created' }).first().click()
    await page.getByRole('dialog').getByText('about to break').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    await page.getByText('Redelivered.').waitFor()
  })

  it('shows the request and response of a delivery, retries it, and turns a webhook off', async () => {
    const heard: string[] = []
    const ear = createServer((request, response) => {
      heard.push(String(request.headers['webhook-id']))
      response.end('noted')
    }).listen(0, '127.0.0.1')
    try {
      const account = await createTestAccount()
      const page = await newPage()
      await signIn(page, account)
      await visit(page, 'Webhooks')
      await page.getByRole('button', { name: 'New webhook' }).click()
      const host = `127.0.0.1:${(ear.address() as AddressInfo).port}`
      await page.getByLabel('Address').fill(`http://${host}/hook`)
      await page.getByLabel('Topics').fill('space:created')
      await page.getByRole('button', { name: 'Create' }).click()
      expect(await page.locator('.once').innerText()).toMatch(/^whsec_/)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await page.getByRole('heading', { name: host, level: 1 }).waitFor()
      const { space } = await mintSpace(account)
      await waitUntil(async () => heard.length > 0)
      await waitUntil(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click()
        return (await page.getByText('HTTP 200').count()) > 0
      })
      await page.getByRole('button', { name: 'space:created', exact: true }).click()
      await page.getByRole('dialog').getByText('noted').waitFor()
      await page.getByRole('dialog').getByText(space.id).first().waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
      await waitUntil(async () => heard.length > 1)
      expect(heard[1]).toBe(heard[0])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText(/The test arrived: HTTP 200/).waitFor()
      await page.getByRole('main').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Disable' }).click()
      await page.getByText('Inactive').waitFor()
    } finally {
      ear.close()
    }
  })

  it('manages secrets, retention policies and whether guests may invite others', async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    const page = await newPage()
    await signIn(page, account)
    await visit(page, 'Secrets')
    await page.getByRole('button', { name: 'Add secret' }).click()
    await page.getByLabel('Name').fill('CRM_KEY')
    await page.getByLabel('Value').fill('nobody guesses this')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('cell', { name: 'CRM_KEY', exact: true }).waitFor()
    expect(await page.content()).not.toContain('nobody guesses this')
    await visit(page, 'Retention')
    await page.getByRole('button', { name: 'New policy' }).click()
    await page.getByLabel('Days').fill('30')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('cell', { name: 'Expires 30 days after the last activity', exact: true }).waitFor()
    expect((await call('GET', '/data-retention-policies')).body.data[0]).toMatchObject({
      period: 30,
      type: 'lastActivity',
    })
    await page.goto(`/console/${account.environmentId}/environments/${account.environmentId}`)
    await page.getByRole('switch', { name: 'Guests can invite others' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    const environment = (await call('GET', `/environments/${account.environmentId}`)).body.data
    expect(environment.metadata).toEqual({ sidebarConfig: { showGuestInvite: false } })
  })

  it('says what needs attention, and leads from there to the job, its space and its file in words', async () => {
    const { account } = await newActiveAccount()
    const page = await openConsole(account)
    await page.getByText('Spring import: 3 records with errors').waitFor()
    await page.getByRole('link', { name: '1 job failed in the last 7 days' }).click()
    await page.waitForURL('**/jobs?status=failed')
    await page.getByRole('link', { name: 'submit' }).click()
    await page.getByRole('heading', { name: 'submit', level: 1 }).waitFor()
    await page.getByText('The warehouse does not answer.', { exact: true }).waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/us_[a-z]+_\w{10}/)
    await page.getByRole('link', { name: 'Spring import' }).click()
    await page.getByRole('link', { name: 'Files' }).last().click()
    await page.getByRole('link', { name: 'people.csv' }).click()
    await page.getByRole('heading', { name: 'people.csv', level: 1 }).waitFor()
    await visit(page, 'Audit log')
    await page.getByRole('cell', { name: 'Created a webhook' }).waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/us_[a-z]+_\w{10}/)
  })

  it('says where the time of a job went', async () => {
    const { account } = await newActiveAccount()
    const call = createCaller(account.secretKey)
    const extraction = await waitUntil(async () => {
      const { data } = (await call('GET', `/jobs?environmentId=${account.environmentId}&operation=extract`)).body
      return data.find(({ status }: { status: string }) => status === 'completed')
    })
    const page = await openConsole(account, `jobs/${extraction.id}`)
    await page.getByText('Where the time went', { exact: true }).waitFor()
    const parts = ['Waiting to start', 'Reading', 'Computing', 'Writing', 'Publishing events'].map(
      (part) => `${part}: [\\d,.]+ \\w+`,
    )
    await page.getByText(new RegExp(`^${parts.join(' · ')}$`)).waitFor()
  })

  it('loads a long list page by page, and keeps the search in the address', async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    for (let index = 1; index <= 30; index++)
      await call('POST', '/spaces', { name: `Import ${index}`, environmentId: account.environmentId })
    const page = await openConsole(account, 'spaces')
    await page.getByText('Showing 25 of 30').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await waitUntil(async () => (await page.getByRole('row').count()) === 31)
    await page.getByRole('searchbox', { name: 'Search spaces' }).fill('Import 17')
    await page.waitForURL('**search=Import*17')
    await waitUntil(async () => (await page.getByRole('row').count()) === 2)
    await page.reload()
    await page.getByRole('link', { name: 'Import 17' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
  })

  it('finds everything by name or id, and is used by keyboard', async () => {
    const { account, space } = await newActiveAccount()
    const page = await openConsole(account)
    const search = async (text: string, option: RegExp) => {
      await page.keyboard.press('ControlOrMeta+K')
      await page.getByRole('dialog', { name: 'Search' }).waitFor()
      await page.keyboard.type(text)
      await page.getByRole('option', { name: option }).first().waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await search('spring', /Spring import/)
    await page.getByRole('heading', { name: 'Spring import', level: 1 }).waitFor()
    await search('joan@', /Joan/)
    await page.getByRole('heading', { name: 'Joan', level: 1 }).waitFor()
    await search('people.csv', /people\.csv/)
    await page.getByRole('heading', { name: 'people.csv', level: 1 }).waitFor()
    await search(space.id, /us_sp/)
    await page.getByRole('heading', { name: 'Spring import', level: 1 }).waitFor()
    await search('audit', /Audit log/)
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
  })

  it('says what is missing and leads on, at an unknown address and for a deleted space', async () => {
    const account = await createTestAccount()
    const page = await openConsole(account, 'nonsense/x')
    await page.getByRole('heading', { name: 'Page not found.' }).waitFor()
    await page.getByRole('link', { name: 'Go to home' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.goto(`/console/${account.environmentId}/spaces/us_sp_01KJM5Z8Q4T7W9XA2BCDEFGH3J`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Spaces' }).last().click()
    await page.getByRole('heading', { name: 'Spaces', level: 1 }).waitFor()
    await page.goto('/nonsense/x')
    await page.getByRole('link', { name: 'Go to home' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })

  it('names who viewed keys in the audit log', async () => {
    const account = await createTestAccount()
    const page = await openConsole(account, 'keys')
    await page
      .getByRole('button', { name: /^Show: / })
      .first()
      .click()
    await page.getByText(account.secretKey).waitFor()
    await page.goto(`/console/${account.environmentId}/audit`)
    const entry = page.getByRole('row').filter({ hasText: 'Viewed API keys' }).first()
    await entry.waitFor()
    await entry.getByRole('link', { name: 'Ada', exact: true }).waitFor()
    await entry.getByText('127.0.0.1').waitFor()
    expect(await page.getByRole('table').innerText()).not.toMatch(/us_(usr|env|acc|key)_/)
  })

  it('shows the usage of a month in a table and a year in charts', async () => {
    const account = await createTestAccount()
    const { call, sheet } = await mintSpace(account)
    await call('POST', `/sheets/${sheet.id}/records`, [{ name: { value: 'Ada' } }, { name: { value: 'Grace' } }])
    const page = await openConsole(account, 'usage')
    const chart = page.getByRole('figure', { name: 'Records created' })
    await waitUntil(async () => {
      await page.reload()
      await chart.waitFor()
      return (await chart.getByRole('listitem').last().innerText()).startsWith('2')
    }, 20)
    expect(await chart.getByRole('listitem').count()).toBe(12)
    const row = page.getByRole('row').filter({ hasText: '2' }).last()
    await row.getByRole('cell', { name: '2', exact: true }).first().waitFor()
    expect(await findViolations(page)).toEqual([])
  })
})
