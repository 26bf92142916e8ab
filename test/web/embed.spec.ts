import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import {
  createCaller,
  findViolations,
  getOrigin,
  inBrowser,
  newPage,
  pageErrors,
  waitUntil,
  withBrowser,
} from './browser.ts'
import { addRecords, completeSubmission, elementPage, getFrame, newShopAccount, SUBMIT, withShop } from './shop.ts'

/** The n-th page of the guide, for this server and key. */
const readGuidePage = async (number: number, publishableKey: string) => {
  const guide = await readFile('docs/guides/application.md', 'utf8')
  const html = [...guide.matchAll(/```html\n([\s\S]*?)```/g)][number]![1]!
  return html.replaceAll('https://wharf.example.com', getOrigin()).replace('pk_...', publishableKey)
}

inBrowser('the embedded importer', () => {
  withBrowser()
  const shop = withShop()

  it('creates a space as its environment says, shows it in the colors of the page, and closes with what was submitted', async () => {
    const { account, call, listSpaces } = await newShopAccount()
    const tab = await shop.open(elementPage(account.publishableKey))
    const addresses: string[] = []
    tab.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''))
    await tab.evaluate(`Object.assign(importer, {
      theme: { accent: 'rgb(91, 61, 245)', font: 'Georgia, serif', 'no-such': 'red', page: 'url(x)' },
      blueprint: { orders: true },
    })`)
    const created = tab.waitForResponse((response) => response.request().method() === 'POST')
    await tab.getByRole('button', { name: 'Import' }).click()
    const { accessToken } = (await (await created).json()).data
    const frame = getFrame(tab)
    await frame.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    expect(await frame.locator('html').getAttribute('style')).toBe(
      '--accent: rgb(91, 61, 245); --font: Georgia, serif;',
    )
    expect(await tab.evaluate('document.activeElement.className')).toBe('wharf-importer')
    const { id, metadata } = (await listSpaces())[0]!
    expect(metadata).toEqual({ blueprint: { orders: true } })
    await addRecords(call, [{ name: 'Ada' }, { email: 'a@b.c' }])
    await frame.getByRole('button', { name: 'Submit' }).click()
    const jobId = await completeSubmission(call, id)
    await frame.getByRole('dialog').getByText('Thank you.').waitFor()
    await tab.keyboard.press('Escape')
    await waitUntil(async () => (await tab.locator('.wharf-importer').count()) === 0)
    const counts = { total: 2, valid: 1, error: 1 }
    const submission = { spaceId: id, jobId, operation: SUBMIT, counts }
    expect(await tab.evaluate('seen')).toEqual([
      ['submitted', expect.objectContaining(submission)],
      ['closed', { spaceId: id }],
    ])
    expect(await tab.evaluate('results')).toEqual([
      expect.objectContaining({
        status: 'submitted',
        ...submission,
        sheets: [expect.objectContaining({ slug: 'people', counts })],
      }),
    ])
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Import')
    expect(addresses.filter((address) => address.includes(accessToken))).toEqual([])
    await tab.getByRole('button', { name: 'Import' }).click()
    await frame.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    expect(await listSpaces()).toHaveLength(2)
  })

  it('opens by the first page of the guide, in its language and theme', async () => {
    const { account, listSpaces } = await newShopAccount()
    const tab = await shop.open(await readGuidePage(0, account.publishableKey), { dark: true })
    const frame = getFrame(tab)
    await frame.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    expect(await frame.locator('html').getAttribute('lang')).toBe('de')
    expect(await frame.locator('html').getAttribute('style')).toBe('--accent: #5b3df5;')
    expect((await listSpaces())[0]!.metadata).toEqual({ blueprint: { template: 'orders' } })
  })

  it('keeps a call that was made before its script, and passes the submitted records to the page of the guide', async () => {
    const { account, call } = await newShopAccount()
    const tab = await newPage()
    const shown: string[] = []
    tab.on('console', (message) => shown.push(message.text()))
    let load = () => {}
    const clicked = new Promise<void>((resolve) => {
      load = resolve
    })
    await tab.route('**/wharf-importer.js', async (route) => {
      await clicked
      await route.continue()
    })
    shop.serve('/queue', `<!doctype html><html lang="en">${await readGuidePage(1, account.publishableKey)}`)
    await tab.goto(`${shop.getUrl()}/queue`, { waitUntil: 'commit' })
    await tab.getByRole('button', { name: 'Import orders' }).click()
    load()
    const frame = getFrame(tab)
    const steps = frame.getByRole('navigation', { name: 'Steps' })
    expect(await steps.locator('[aria-current=step]').textContent()).toContain('Upload')
    expect(await frame.locator('aside').count()).toBe(0)
    const spaceId = await addRecords(call, [{ name: 'Ada' }, { name: 'Grace' }])
    await steps.getByRole('link', { name: 'Review' }).click()
    await steps.getByRole('button', { name: 'Submit' }).click()
    await completeSubmission(call, spaceId)
    await frame.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await waitUntil(async () => shown.length > 1)
    expect(shown[0]).toBe('2 records')
    expect(shown[1]).toContain('people')
  })

  it('reads the submitted records page by page', async () => {
    const { account, call } = await newShopAccount()
    const tab = await shop.open(elementPage(account.publishableKey))
    await tab.evaluate(`importer.addEventListener('submitted', async ({ detail }) => {
      window.pages = []
      for await (const { sheet, records } of detail.records({ sheet: 'people', pageSize: 2 }))
        pages.push([sheet.slug, records.map(({ values }) => values.name)])
      window.wrong = await detail.records({ sheet: 'none' }).next().catch(({ message }) => message)
    })`)
    await tab.getByRole('button', { name: 'Import' }).click()
    const names = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara']
    const spaceId = await addRecords(
      call,
      names.map((name) => ({ name })),
    )
    await getFrame(tab).getByRole('button', { name: 'Submit' }).click()
    await completeSubmission(call, spaceId)
    await tab.waitForFunction('window.wrong')
    expect(await tab.evaluate('pages')).toEqual([
      ['people', ['Ada', 'Grace']],
      ['people', ['Alan', 'Edsger']],
      ['people', ['Barbara']],
    ])
    expect(await tab.evaluate('wrong')).toContain('"none"')
  })

  it('keeps properties that were set before its script, and is light on a light surface', async () => {
    const { account, listSpaces } = await newShopAccount()
    const tab = await shop.open(
      `<wharf-importer publishable-key="${account.publishableKey}"></wharf-importer>
      <script>
        const importer = document.querySelector('wharf-importer')
        importer.theme = { surface: '#ffffff', page: '#fafafa' }
        importer.metadata = { order: 7 }
        importer.setAttribute('open', '')
      </script>
      <script type="module" src="${getOrigin()}/wharf-importer.js"></script>`,
      { dark: true },
    )
    const frame = getFrame(tab)
    await frame.getByRole('heading', { level: 1 }).waitFor()
    const embedded = tab.frames().find((one) => one.url().endsWith('/embed'))!
    expect(await embedded.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(250, 250, 250)')
    expect(await frame.locator('html').getAttribute('data-theme')).toBe('light')
    const dialog = tab.locator('.wharf-importer dialog')
    const readShellColor =
      "getComputedStyle(document.querySelector('.wharf-importer').shadowRoot.querySelector('dialog')).backgroundColor"
    expect(await tab.evaluate(readShellColor)).toBe('rgb(255, 255, 255)')
    expect((await listSpaces())[0]!.metadata).toEqual({ order: 7 })
    const close = (await tab.locator('.wharf-importer button').boundingBox())!
    const content = (await tab.locator('.wharf-importer iframe').boundingBox())!
    expect(close.y + close.height).toBeLessThanOrEqual(content.y)
    await tab.setViewportSize({ width: 390, height: 800 })
    expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 })
    expect(await findViolations(tab)).toEqual([])
  })

  it('loads the fonts of the page into its frame, and opens without those that are missing', async () => {
    const { account } = await newShopAccount()
    shop.serve('/brand.woff2', 'not a font')
    const tab = await shop.open(elementPage(account.publishableKey))
    const warnings: string[] = []
    tab.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await tab.evaluate(`Object.assign(importer, {
      theme: { font: 'Brand, sans-serif' },
      fonts: [{ family: 'Brand', url: '/brand.woff2' }, { family: 'Lost', url: 'http://127.0.0.1:1/lost.woff2' }],
    })`)
    await tab.getByRole('button', { name: 'Import' }).click()
    await getFrame(tab).getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    await waitUntil(async () => warnings.length > 1)
    expect(warnings.join()).toMatch(/Lost could not be loaded[\s\S]*Brand has an unknown format/)
  })

  it('shows in the language of the page why it cannot open, and tries again', async () => {
    const { account } = await newShopAccount()
    const tab = await shop.open(elementPage('pk_nothing', 'language="de"'))
    await tab.getByRole('button', { name: 'Import' }).click()
    const alert = tab.getByRole('alert')
    await alert.getByText('nicht richtig eingerichtet').waitFor()
    const [[name, detail]] = (await tab.evaluate('seen')) as [[string, { code: string; message: string }]]
    expect([name, detail.code]).toEqual(['error', 'key'])
    expect(detail.message.length).toBeGreaterThan(5)
    expect(await findViolations(tab)).toEqual([])
    await tab.evaluate(`importer.setAttribute('publishable-key', '${account.publishableKey}')`)
    await tab.route('**/api/v1/spaces', (route) => route.abort())
    await tab.getByRole('button', { name: 'Erneut versuchen' }).click()
    await alert.getByText('nicht erreichbar').waitFor()
    await tab.unroute('**/api/v1/spaces')
    await tab.keyboard.press('Enter')
    await getFrame(tab).getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  })

  it('says that the page blocks it, or that it did not load', async () => {
    const { account } = await newShopAccount()
    const blocked = await shop.open(elementPage(account.publishableKey), {
      headers: { 'content-security-policy': "frame-src 'none'" },
    })
    await blocked.getByRole('button', { name: 'Import' }).click()
    await blocked.getByRole('alert').getByText('This page blocks the importer').waitFor()
    expect(await blocked.evaluate('seen[0][1].code')).toBe('blocked')
    expect(pageErrors.splice(0).join()).toContain('frame-src')
    await blocked.getByRole('button', { name: 'Close' }).click()
    await blocked.waitForFunction('results.length > 0')
    expect(await blocked.evaluate('results[0]')).toMatchObject({ status: 'closed', error: { code: 'blocked' } })
    const lost = await shop.open(elementPage(account.publishableKey))
    await lost.clock.install()
    await lost.route('**/embed', (route) => route.abort())
    await lost.getByRole('button', { name: 'Import' }).click()
    await lost.locator('.wharf-importer iframe').waitFor({ state: 'attached' })
    await lost.clock.fastForward(20_000)
    await lost.getByRole('alert').getByText('didn’t load').waitFor()
    await lost.unroute('**/embed')
    await lost.getByRole('button', { name: 'Try again' }).click()
    await getFrame(lost).getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  })

  it('allows no other page of the platform in a frame', async () => {
    const tab = await shop.open(`<iframe src="${getOrigin()}/sign-in"></iframe>`)
    await waitUntil(async () => pageErrors.length > 0)
    expect(pageErrors.splice(0).join()).toContain('frame-ancestors')
    expect(tab.url()).toContain(shop.getUrl())
  })

  it('accepts only the origins its environment names, including those of the platform', async () => {
    const { account, allowOrigins, listSpaces } = await newShopAccount()
    await allowOrigins(['https://elsewhere.example'])
    const tab = await shop.open(elementPage(account.publishableKey))
    await tab.getByRole('button', { name: 'Import' }).click()
    await tab.getByRole('alert').getByText('isn’t allowed on this page').waitFor()
    expect(JSON.stringify(await tab.evaluate('seen'))).toContain('does not allow')
    await allowOrigins([shop.getUrl()])
    await tab.getByRole('button', { name: 'Try again' }).click()
    const frame = getFrame(tab)
    await frame
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    await frame.getByText('Ready', { exact: true }).waitFor({ timeout: 30_000 })
    expect(await listSpaces()).toHaveLength(1)
  })

  it.each(['publishable key', 'guest'] as const)(
    'opens a space of the server with the token of a %s, and creates none',
    async (holder) => {
      const { account, call, listSpaces } = await newShopAccount()
      const { environmentId } = account
      const create = createCaller(holder === 'guest' ? account.secretKey : account.publishableKey)
      const { id, accessToken } = (
        await create('POST', '/spaces', { name: 'Prepared', environmentId, autoConfigure: true })
      ).body.data
      const issueGuestToken = async () => {
        const guest = { environmentId, email: 'ada@example.com', name: 'Ada', spaces: [{ id }] }
        const [{ id: guestId }] = (await call('POST', '/guests', [guest])).body.data
        return (await call('GET', `/guests/${guestId}/token`)).body.data.token
      }
      const space = { id, accessToken: accessToken ?? (await issueGuestToken()) }
      await addRecords(call, [{ name: 'Ada' }])
      const tab = await shop.open(elementPage(''))
      await tab.evaluate(`importer.removeAttribute('publishable-key'); importer.space = ${JSON.stringify(space)}`)
      const frame = getFrame(tab)
      for (const _ of ['the first time', 'again']) {
        await tab.getByRole('button', { name: 'Import' }).click()
        await frame.getByRole('heading', { name: 'Prepared', level: 1 }).waitFor()
        await tab.evaluate('importer.close()')
        await waitUntil(async () => (await tab.locator('.wharf-importer').count()) === 0)
      }
      expect(await tab.evaluate('results')).toEqual(Array(2).fill({ status: 'closed', spaceId: id }))
      expect(await listSpaces()).toHaveLength(1)
    },
  )

  it('works in no page that its environment does not allow, regardless of who created the space', async () => {
    const { account, allowOrigins } = await newShopAccount()
    await allowOrigins(['https://elsewhere.example'])
    const made = (await createCaller(account.publishableKey)('POST', '/spaces', { name: 'Orders' })).body.data
    const tab = await shop.open('')
    const open = `(async () => {
      document.body.innerHTML = '<iframe style="width: 900px; height: 600px" src="${getOrigin()}/embed"></iframe>'
      addEventListener('message', ({ data, source }) => data?.type === 'wharf:ready' &&
        source.postMessage({ type: 'wharf:begin', spaceId: '${made.id}', token: '${made.accessToken}' }, '*'))
    })()`
    await tab.evaluate(open)
    await tab.frameLocator('iframe').getByText('does not allow').waitFor()
    await allowOrigins([shop.getUrl()])
    await tab.reload()
    await tab.evaluate(open)
    await tab.frameLocator('iframe').getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  })
})
