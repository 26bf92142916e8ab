import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  createTestAccount,
  findViolations,
  inBrowser,
  mintSpace,
  newPage,
  signInWithoutPage,
  waitUntil,
  withBrowser,
} from './browser.ts'
import { newGuestPage } from './guest.ts'

const INVITE = /Invite people/

inBrowser('inviting', () => {
  withBrowser()

  it('is offered to guests where the environment and the space allow it, as set in the console', async () => {
    const { account, page, call, space } = await newGuestPage()
    expect(await page.getByRole('button', { name: INVITE }).count()).toBe(0)
    const proven = await newPage()
    const { id, email } = (await call('GET', `/guests?spaceId=${space.id}`)).body.data[0]
    const { token } = (await call('GET', `/guests/${id}/token`)).body.data
    const session = JSON.stringify({ token, kind: 'guest', email, expiresAt: Date.now() + 3_000_000 })
    await proven.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
    const isInvitationShown = async () => {
      await proven.goto(`/s/${space.id}`)
      await proven.getByRole('heading', { name: 'Spring import' }).waitFor()
      return (await proven.getByRole('button', { name: INVITE }).count()) === 1
    }
    expect(await isInvitationShown()).toBe(true)

    const console = await newPage()
    await signInWithoutPage(console, account)
    const at = `/console/${account.environmentId}`
    const save = async () => {
      await console.getByRole('button', { name: 'Save', exact: true }).click()
      await console.getByText('Saved.').waitFor()
    }
    const choose = async (choice: string) => {
      await console.goto(`${at}/spaces/${space.id}/settings`)
      await console.getByLabel('Guest invitations').selectOption({ label: choice })
      await save()
    }
    await console.goto(`${at}/environments/${account.environmentId}`)
    await console.getByRole('switch', { name: 'Guests can invite others' }).click()
    await save()
    expect(await isInvitationShown()).toBe(false)
    await choose('Guests can invite others')
    expect(await isInvitationShown()).toBe(true)
    await choose('Same as environment')
    expect(await isInvitationShown()).toBe(false)
  })
})

inBrowser('the choice of a space', () => {
  withBrowser()

  const linkIn = (text: string) => /\S+\/s\/\S+/.exec(text)![0]

  it('switches between all spaces of a guest signed in by a magic link, and mails one to a guest of a shared link', async () => {
    const account = await createTestAccount()
    const { call, space } = await mintSpace(account, 'Orders', { guestAuthentication: 'magic_link' })
    const { space: other } = await mintSpace(account, 'Invoices', { guestAuthentication: 'shared_link' })
    const email = 'grace@example.com'
    const config = { environmentId: account.environmentId, email, name: 'Grace' }
    const { id } = (await call('POST', '/guests', [{ ...config, spaces: [{ id: space.id }, { id: other.id }] }])).body
      .data[0]
    const newest = async () => linkIn((await call('GET', '/invitations')).body.data[0].text)

    const shared = await newPage()
    await shared.goto((await call('GET', `/spaces/${other.id}`)).body.data.guestLink)
    await shared.getByLabel('Email address').fill(email)
    await shared.getByRole('button', { name: 'Continue' }).click()
    await shared.getByRole('heading', { name: 'Invoices' }).waitFor()
    const choices = (page: Page) =>
      page.getByRole('combobox', { name: 'Space', exact: true }).locator('option').allInnerTexts()
    expect(await choices(shared)).toEqual(['Invoices', 'Email me a link to my other spaces'])
    await shared.getByRole('combobox', { name: 'Space', exact: true }).selectOption('others')
    await shared.getByText(`If ${email} has access, a link is on its way.`).waitFor()

    const proven = await newPage()
    await proven.goto(await newest())
    await proven.getByRole('heading', { name: 'Orders' }).waitFor()
    await expect.poll(async () => (await choices(proven)).sort()).toEqual(['Invoices', 'Orders'])
    await proven.getByRole('combobox', { name: 'Space', exact: true }).selectOption({ label: 'Invoices' })
    await proven.getByRole('heading', { name: 'Invoices' }).waitFor()
    expect(proven.url()).toContain(other.id)
    await proven.reload()
    await proven.getByRole('heading', { name: 'Invoices' }).waitFor()
    await call('DELETE', `/guests/${id}`)
  })

  it('finds one of many spaces by its name', async () => {
    const account = await createTestAccount()
    const { call, space } = await mintSpace(account, 'Orders', { guestAuthentication: 'magic_link' })
    const { environmentId } = account
    const spaces = [{ id: space.id }]
    for (let number = 1; number <= 19; number++) {
      const name = `Space ${number}`
      spaces.push((await call('POST', '/spaces', { name, environmentId, guestAuthentication: 'magic_link' })).body.data)
    }
    const guest = { environmentId, email: 'many@example.com', name: 'Grace', spaces: spaces.map(({ id }) => ({ id })) }
    const { id } = (await call('POST', '/guests', [guest])).body.data[0]
    const { token } = (await call('GET', `/guests/${id}/token`)).body.data
    const page = await newPage()
    const session = JSON.stringify({ token, kind: 'guest', email: guest.email, expiresAt: Date.now() + 3_000_000 })
    await page.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
    await page.goto(`/s/${space.id}`)
    await page.locator('.space-choice button').click()
    await page.keyboard.type('space 1')
    const options = page.getByRole('listbox').getByRole('option')
    await waitUntil(async () => (await options.count()) === 11)
    expect(await findViolations(page)).toEqual([])
    await options.getByText('Space 17', { exact: true }).click()
    await page.getByRole('heading', { name: 'Space 17', exact: true }).waitFor()
    expect(page.url()).toContain(spaces[17]!.id)
  })
})
