/** Signing in: by password and out again, in the reader's language and colours, without leaving a token in an address. */
import { expect, it } from 'vitest'
import { faults, inBrowser, mintAccount, mintSpace, newPage, signIn, violations, withBrowser } from './browser.ts'

inBrowser('signing in', () => {
  withBrowser()

  it('lets an administrator in, keeps the session over a reload, and ends it', async () => {
    const account = await mintAccount()
    const page = await newPage()
    await signIn(page, account)
    await page.reload()
    await page.waitForURL('**/console**')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it('says what the server says of a wrong password', async () => {
    const account = await mintAccount()
    const page = await newPage()
    await page.goto('/')
    await page.getByLabel('E-mail address').fill(account.email)
    await page.getByLabel('Password').fill('wrong')
    const [answer] = await Promise.all([
      page.waitForResponse('**/api/v1/auth'),
      page.getByRole('button', { name: 'Sign in', exact: true }).click(),
    ])
    const { errors } = (await answer.json()) as { errors: { message: string }[] }
    expect(await page.getByRole('alert').innerText()).toContain(errors[0]!.message)
  })

  it('takes a guest in by the link of a mail, and ends what is open when the guest loses the space', async () => {
    const account = await mintAccount()
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

  it.each([
    ['de-DE', 'Anmelden', 'ltr'],
    ['fr-FR', 'Se connecter', 'ltr'],
    ['es-ES', 'Iniciar sesión', 'ltr'],
    ['ar-EG', 'تسجيل الدخول', 'rtl'],
  ])('speaks %s', async (language, text, direction) => {
    const page = await newPage({ language })
    await page.goto('/')
    await page.getByRole('heading', { name: text }).waitFor()
    expect(await page.getAttribute('html', 'dir')).toBe(direction)
  })

  it.each([false, true])('has no violation axe-core knows, dark: %s', async (dark) => {
    const page = await newPage({ dark })
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await violations(page)).toEqual([])
  })

  it('serves pages with a policy against foreign scripts, and other paths as before', async () => {
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
    // That refusal is the one that was asked for.
    expect(faults.splice(0)).toHaveLength(1)
  })
})
