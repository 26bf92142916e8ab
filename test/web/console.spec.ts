import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  createCaller,
  createTestAccount,
  inBrowser,
  mintSpace,
  newPage,
  signIn,
  waitUntil,
  withBrowser,
} from './browser.ts'

const visit = async (page: Page, name: string) => {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
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
    await page.getByRole('button', { name: /^Show/ }).first().click()
    await page.getByText(account.secretKey).waitFor()
    await page.getByRole('button', { name: 'New secret key' }).click()
    await waitUntil(async () => (await page.getByRole('row').count()) === 4)
    const keys = (await createCaller(account.secretKey)('GET', '/auth/api-keys')).body.data
    const made = keys.find(
      (key: { type: string; rawKey: string }) => key.type === 'SECRET' && key.rawKey !== account.secretKey,
    )
    expect((await createCaller(made.rawKey)('GET', '/spaces')).status).toBe(200)
    await page.getByRole('button', { name: `Delete: ${made.id}` }).click()
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
    expect((await createCaller(value)('GET', '/environments')).status).toBe(200)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('cell', { name: 'nightly', exact: true }).waitFor()
    expect(await page.content()).not.toContain(value)
    const clientId = await page.getByRole('row').filter({ hasText: 'nightly' }).locator('code').innerText()
    const exchanged = await createCaller(undefined)('POST', '/auth', { clientId, secret: value })
    expect([exchanged.status, exchanged.body.userId]).toEqual([200, account.userId])
    await page.getByRole('button', { name: 'Delete: nightly' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No tokens yet.').waitFor()
    expect((await createCaller(value)('GET', '/environments')).status).toBe(401)
  })

  it('creates a space, invites a guest, and revokes the space', async () => {
    const account = await createTestAccount()
    const page = await newPage()
    await signIn(page, account)
    await visit(page, 'Spaces')
    await page.getByRole('button', { name: 'New space' }).click()
    await page.getByLabel('Name').fill('Autumn import')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'Autumn import' }).waitFor()
    await visit(page, 'Guests')
    await page.getByRole('button', { name: 'Invite people' }).click()
    await page.getByLabel('Email address').fill('grace@example.com')
    await page.getByLabel('Name').fill('Grace')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('cell', { name: 'grace@example.com' }).waitFor()
    const call = createCaller(account.secretKey)
    expect((await call('GET', '/invitations')).body.data).toHaveLength(1)
    await page.getByRole('button', { name: 'Remove access: Grace Autumn import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
    await waitUntil(async () =>
      (await call('GET', '/guests')).body.data.every((guest: { spaces: object[] }) => guest.spaces.length === 0),
    )
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
    const token = await page.evaluate("JSON.parse(sessionStorage.getItem('wharf.session')).token")
    const mails = (await createCaller(token as string)('GET', '/invitations')).body.data as { text: string }[]
    const link = mails.map(({ text }) => /\S+\/accept-invite#\S+/.exec(text)?.[0]).find(Boolean)!
    const other = await newPage()
    await other.goto(link)
    await other.getByLabel('Password').fill('a password of her own')
    expect(other.url()).not.toContain('token')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('heading', { name: 'Get started' }).waitFor()
    expect(await other.getByLabel('Environment').locator('option').allInnerTexts()).toEqual(['development'])
  })

  it("follows events, shows an agent's failure with its log, and retries it", {
    timeout: 180_000,
  }, async () => {
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
    await page.getByRole('cell', { name: 'agent:created' }).first().waitFor()
    const { space } = await mintSpace(account)
    await page.getByRole('cell', { name: 'space:created' }).first().waitFor()
    await page.getByLabel('Topic').fill('space:created')
    await waitUntil(async () => (await page.getByRole('cell', { name: 'workbook:created' }).count()) === 0)
    await page
      .getByRole('button', { name: /^Details/ })
      .first()
      .click()
    await page.getByRole('dialog').getByText(space.id).first().waitFor()
    await page.keyboard.press('Escape')
    await visit(page, 'Agents')
    await page.getByRole('button', { name: 'Runs: brittle' }).click()
    await page.getByText('broken here').first().waitFor({ timeout: 120_000 })
    await page.getByText('about to break').first().waitFor()
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    await page.getByText('Redelivered.').waitFor()
  })

  it('creates a webhook whose secret is shown once, and replays a delivery', async () => {
    const heard: string[] = []
    const ear = createServer((request, response) => {
      heard.push(String(request.headers['webhook-id']))
      response.end()
    }).listen(0, '127.0.0.1')
    try {
      const account = await createTestAccount()
      const page = await newPage()
      await signIn(page, account)
      await visit(page, 'Webhooks')
      await page.getByRole('button', { name: 'New webhook' }).click()
      const url = `http://127.0.0.1:${(ear.address() as AddressInfo).port}/hook`
      await page.getByLabel('Address').fill(url)
      await page.getByLabel('Topics').fill('space:created')
      await page.getByRole('button', { name: 'Create' }).click()
      expect(await page.locator('.once').innerText()).toMatch(/^whsec_/)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await mintSpace(account)
      await waitUntil(async () => heard.length > 0)
      await page.getByRole('button', { name: `Deliveries: ${url}` }).click()
      await page
        .getByRole('button', { name: /^Retry/ })
        .first()
        .click()
      await waitUntil(async () => heard.length > 1)
      expect(heard[1]).toBe(heard[0])
    } finally {
      ear.close()
    }
  })

  it('manages secrets and retention policies', async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    const page = await newPage()
    await signIn(page, account)
    await visit(page, 'Secrets')
    await page.getByRole('button', { name: 'Add secret' }).click()
    await page.getByLabel('Name').fill('CRM_KEY')
    await page.getByLabel('Value').fill('nobody guesses this')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'CRM_KEY', exact: true }).waitFor()
    expect(await page.content()).not.toContain('nobody guesses this')
    await visit(page, 'Retention')
    await page.getByRole('button', { name: 'New policy' }).click()
    await page.getByLabel('Days').fill('30')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('cell', { name: '30', exact: true }).waitFor()
    expect((await call('GET', '/data-retention-policies')).body.data[0]).toMatchObject({
      period: 30,
      type: 'lastActivity',
    })
  })
})
