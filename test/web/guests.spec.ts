/** Guests in the portal, and what administrators decide about them in the console. */
import { expect, it } from 'vitest'
import { inBrowser, newPage, signedIn, withBrowser } from './browser.ts'
import { guestIn } from './guest.ts'

const INVITE = /Invite somebody/

inBrowser('inviting', () => {
  withBrowser()

  it('is offered to guests where the environment and the space allow it, as the console sets it', async () => {
    const { account, page, call, space } = await guestIn()
    // Who came by the shared link has given an address that is not proven.
    expect(await page.getByRole('button', { name: INVITE }).count()).toBe(0)
    const proven = await newPage()
    const { id, email } = (await call('GET', `/guests?spaceId=${space.id}`)).body.data[0]
    const { token } = (await call('GET', `/guests/${id}/token`)).body.data
    const session = JSON.stringify({ token, kind: 'guest', email, expiresAt: Date.now() + 3_000_000 })
    await proven.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
    const shown = async () => {
      await proven.goto(`/s/${space.id}`)
      await proven.getByRole('heading', { name: 'Spring import' }).waitFor()
      return (await proven.getByRole('button', { name: INVITE }).count()) === 1
    }
    expect(await shown()).toBe(true)

    const console = await newPage()
    await signedIn(console, account)
    await console.goto(`/console/${account.environmentId}/environments`)
    const edit = async (name: RegExp, choice: string) => {
      await console.getByRole('button', { name }).first().click()
      await console.getByLabel('Invitations by guests').selectOption({ label: choice })
      await console.getByRole('button', { name: 'Save' }).click()
      await console.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await edit(/^Edit: development/, 'Only the team invites')
    expect(await shown()).toBe(false)
    await console.goto(`/console/${account.environmentId}/spaces`)
    await edit(/^Edit: Spring import/, 'Guests may invite others')
    expect(await shown()).toBe(true)
    await edit(/^Edit: Spring import/, 'As the environment')
    expect(await shown()).toBe(false)
  })
})
