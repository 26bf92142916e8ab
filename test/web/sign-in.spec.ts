import { expect, it } from 'vitest'
import { getAccessToken } from '../support/api.ts'
import {
  createTestAccount,
  findViolations,
  inBrowser,
  mintSpace,
  newPage,
  pageErrors,
  signIn,
  withBrowser,
} from './browser.ts'
import { newGuestPage } from './guest.ts'

inBrowser('signing in', () => {
  withBrowser()

  it('works for an administrator, survives a reload, and ends on sign-out', async () => {
    const account = await createTestAccount()
    const page = await newPage()
    await signIn(page, account)
    await page.reload()
    await page.waitForURL('**/console**')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it("shows the server's message for a wrong password", async () => {
    const account = await createTestAccount()
    const page = await newPage()
    await page.goto('/')
    await page.getByLabel('Email address').fill(account.email)
    await page.getByLabel('Password').fill('wrong')
    const [answer] = await Promise.all([
      page.waitForResponse('**/api/v1/auth'),
      page.getByRole('button', { name: 'Sign in', exact: true }).click(),
    ])
    const { errors } = (await answer.json()) as { errors: { message: string }[] }
    expect(await page.getByRole('alert').innerText()).toContain(errors[0]!.message)
  })

  it('works for a guest by a mailed link, and closes open pages when the guest loses the space', async () => {
    const account = await createTestAccount()
    const { call, space } = await mintSpace(account, 'For Grace', { guestAuthentication: 'magic_link' })
    const guest = { environmentId: account.environmentId, email: 'grace@example.com', name: 'Grace' }
    const { id } = (await call('POST', '/guests', [{ ...guest, spaces: [{ id: space.id }] }])).body.data[0]
    await call('POST', '/invitations', [{ guestId: id, spaceId: space.id, fromName: 'Ada' }])
    const mail = (await call('GET', '/invitations')).body.data[0].text as string
    const page = await newPage()
    await page.goto(/\S+\/s\/\S+/.exec(mail)![0])
    await page.getByRole('heading', { name: 'For Grace' }).waitFor()
    expect(page.url()).not.toContain('token')
    await call('DELETE', `/guests/${id}`)
    await page.getByText('Your session has ended').waitFor()
  })

  it('offers a guest a new link when the mailed one was used', async () => {
    const account = await createTestAccount()
    const { call, space } = await mintSpace(account, 'For Grace', { guestAuthentication: 'magic_link' })
    const guest = { environmentId: account.environmentId, email: 'grace@example.com', name: 'Grace' }
    const { id } = (await call('POST', '/guests', [{ ...guest, spaces: [{ id: space.id }] }])).body.data[0]
    await call('POST', '/invitations', [{ guestId: id, spaceId: space.id }])
    const readLink = async () => /\S+\/s\/\S+/.exec((await call('GET', '/invitations')).body.data[0].text)![0]
    const link = await readLink()
    const first = await newPage()
    await first.goto(link)
    await first.getByRole('heading', { name: 'For Grace' }).waitFor()
    const second = await newPage()
    await second.goto(link)
    await second.getByText('This link has expired or was already used').waitFor()
    await second.getByLabel('Email address').fill('grace@example.com')
    await second.getByRole('button', { name: 'Send me a link' }).click()
    await second.getByText('If grace@example.com has access').waitFor()
  })

  it('is shared with new tabs of the browser, and ends in all of them', async () => {
    const account = await createTestAccount()
    const page = await newPage()
    await signIn(page, account)
    const tab = await page.context().newPage()
    await tab.goto('/')
    await tab.waitForURL('**/console**')
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it('is shared with new tabs of a guest, who is not asked again', async () => {
    const { page, space } = await newGuestPage()
    const tab = await page.context().newPage()
    await tab.goto(`/s/${space.id}/files`)
    await tab.getByRole('heading', { name: 'Files', level: 1 }).waitFor()
  })

  it('rejects a single sign-on token that this tab did not start', async () => {
    const [victim, attacker] = [await createTestAccount(), await createTestAccount()]
    const { email, password } = attacker
    const accessToken = await getAccessToken({ email, password })
    const page = await newPage()
    for (const state of ['', '&state=', '&state=made-up-by-somebody']) {
      await page.goto('/')
      await page.goto(`/signed-in#token=${accessToken}${state}`)
      await page.getByText('not started in this tab').waitFor()
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      expect(page.url()).not.toContain('token')
      expect(await page.evaluate("sessionStorage.getItem('wharf.session')")).toBeNull()
    }
    await signIn(page, victim)
    const before = await page.evaluate("sessionStorage.getItem('wharf.session')")
    await page.goto(`/signed-in#token=${accessToken}`)
    await page.getByText('not started in this tab').waitFor()
    expect(await page.evaluate("sessionStorage.getItem('wharf.session')")).toBe(before)
    await page.getByRole('link', { name: 'Stay signed in' }).click()
    await page.waitForURL('**/console**')
  })

  it('accepts the token of the single sign-on it started, once', async () => {
    const account = await createTestAccount()
    const { email, password } = account
    const accessToken = await getAccessToken({ email, password })
    const page = await newPage()
    let state = ''
    await page.route('**/api/v1/auth/sso/start?*', async (route) => {
      state = new URL(route.request().url()).searchParams.get('state')!
      await route.fulfill({ status: 302, headers: { location: `/signed-in#token=${accessToken}&state=${state}` } })
    })
    await page.goto(`/sign-in?accountId=${account.accountId}`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/console**')
    expect(state.length).toBeGreaterThanOrEqual(32)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto('/nothing')
    await page.goto(`/signed-in#token=${accessToken}&state=${state}`)
    await page.getByText('not started in this tab').waitFor()
  })

  it('asks before a link replaces a session', async () => {
    const account = await createTestAccount()
    const { call, space } = await mintSpace(account, 'For Grace', { guestAuthentication: 'magic_link' })
    const linkFor = async (email: string) => {
      const config = { environmentId: account.environmentId, email, name: email, spaces: [{ id: space.id }] }
      const { id } = (await call('POST', '/guests', [config])).body.data[0]
      await call('POST', '/invitations', [{ guestId: id, spaceId: space.id }])
      return /\S+\/s\/\S+/.exec((await call('GET', '/invitations')).body.data[0].text)![0]
    }
    const page = await newPage()
    await page.goto(await linkFor('grace@example.com'))
    await page.getByRole('heading', { name: 'For Grace' }).waitFor()
    const other = await linkFor('mallory@example.com')
    await page.goto('/nothing')
    await page.goto(other)
    await page.getByRole('button', { name: 'Continue as grace@example.com' }).click()
    await page.getByRole('heading', { name: 'For Grace' }).waitFor()
    const signedInAs = async () => JSON.parse(await page.evaluate("sessionStorage.getItem('wharf.session')")).email
    expect(await signedInAs()).toBe('grace@example.com')
    await page.goto('/nothing')
    await page.goto(other)
    await page.getByRole('button', { name: 'Use the link' }).click()
    await page.getByRole('heading', { name: 'For Grace' }).waitFor()
    await expect.poll(signedInAs).toBe('mallory@example.com')
  })

  it.each([
    ['de-DE', 'Anmelden', 'ltr'],
    ['fr-FR', 'Se connecter', 'ltr'],
    ['es-ES', 'Iniciar sesión', 'ltr'],
    ['ar-EG', 'تسجيل الدخول', 'rtl'],
  ])('is translated to %s', async (language, text, direction) => {
    const page = await newPage({ language })
    await page.goto('/')
    await page.getByRole('heading', { name: text }).waitFor()
    expect(await page.getAttribute('html', 'dir')).toBe(direction)
  })

  it.each([false, true])('has no violation known to axe-core, dark: %s', async (dark) => {
    const page = await newPage({ dark })
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  it('serves pages with a policy against foreign scripts, and other paths unchanged', async () => {
    const page = await newPage()
    const answer = (await page.goto('/sign-in'))!
    const policy = answer.headers()['content-security-policy']!
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toMatch(/connect-src 'self' ws:\/\/127\.0\.0\.1:\d+ http:\/\/127\.0\.0\.1:\d+;/)
    const framed = (await page.request.get('/embed')).headers()['content-security-policy']
    expect(framed).toContain('frame-ancestors *')
    for (const path of ['/nothing-here', '/api/v1/nothing'])
      expect((await page.request.get(path)).headers()['content-type']).toContain('json')
    expect((await page.request.get('/docs')).status()).toBe(200)
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'x = 1' }))",
    )
    expect(await page.evaluate('typeof x')).toBe('undefined')
    expect(pageErrors.splice(0)).toHaveLength(1)
  })
})
