import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createCaller,
  createTestAccount,
  FIELDS,
  getOrigin,
  inBrowser,
  newPage,
  pageErrors,
  waitUntil,
  withBrowser,
} from './browser.ts'

const page = (publishableKey: string) => `<!doctype html><html lang="en"><title>A shop</title>
<script type="module" src="${getOrigin()}/wharf-importer.js"></script>
<wharf-importer publishable-key="${publishableKey}" space-name="Orders"></wharf-importer>
<script>
  const element = document.querySelector('wharf-importer')
  window.seen = []
  for (const name of ['submitted', 'closed', 'error']) element.addEventListener(name, ({ detail }) => seen.push([name, detail]))
</script>`

/** The page of the guide, for this server and key. */
const readGuidePage = async (publishableKey: string) => {
  const guide = await readFile('docs/guides/application.md', 'utf8')
  const [, html] = /```html\n([\s\S]*?)```/.exec(guide)!
  const page = html!.replace('https://wharf.example.com', getOrigin()).replace('pk_...', publishableKey)
  return `<!doctype html><html lang="en"><title>A shop</title>${page}`
}

inBrowser('the embedded importer', () => {
  withBrowser()
  let key = ''
  const pages = new Map([['/blank', '<!doctype html><title>Blank</title>']])
  const shop = createServer(({ url }, response) =>
    response.setHeader('content-type', 'text/html').end(pages.get(url!) ?? page(key)),
  )
  const shopUrl = () => `http://localhost:${(shop.address() as AddressInfo).port}`
  beforeAll(() => void shop.listen(0, '127.0.0.1'))
  afterAll(() => void shop.close())

  it('creates a space as its environment says, shows it in the colors of the page, and reports what was submitted', async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    const action = { operation: 'submitOrders', label: 'Submit', mode: 'foreground', primary: true }
    const credentials = { email: account.email, password: account.password }
    const { accessToken } = (await createCaller(undefined)('POST', '/auth', credentials)).body
    await createCaller(accessToken)('POST', `/environments/${account.environmentId}/autobuilds`, {
      workbooks: [{ name: 'Orders', sheets: [{ name: 'People', slug: 'people', fields: FIELDS }], actions: [action] }],
    })
    key = account.publishableKey
    const tab = await newPage()
    await tab.goto(shopUrl())
    await tab.evaluate(`(async () => {
      await customElements.whenDefined('wharf-importer')
      element.theme = { accent: 'rgb(91, 61, 245)', 'no-such': 'red', page: 'url(x)' }
      element.blueprint = { orders: true }
      await element.open()
    })()`)
    const frame = tab.frameLocator('wharf-importer iframe')
    await frame.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    expect(await frame.locator('html').getAttribute('style')).toBe('--accent: rgb(91, 61, 245);')
    const { id, metadata } = (await call('GET', '/spaces')).body.data[0]
    expect(metadata).toEqual({ blueprint: { orders: true } })
    await frame.getByRole('button', { name: 'Submit' }).click()
    const job = await waitUntil(async () => {
      const jobs = (await call('GET', `/jobs?spaceId=${id}&operation=submitOrders`)).body.data
      return jobs[0]?.status === 'ready' && jobs[0]
    })
    await call('POST', `/jobs/${job.id}/ack`, {})
    await call('POST', `/jobs/${job.id}/complete`, { outcome: { message: 'Thank you.' } })
    await frame.getByRole('dialog').getByText('Thank you.').waitFor()
    await tab.keyboard.press('Escape')
    await tab.evaluate('element.close()')
    expect(await tab.evaluate('seen')).toEqual([
      ['submitted', { spaceId: id, jobId: job.id, operation: 'submitOrders' }],
      ['closed', { spaceId: id }],
    ])
  })

  it('opens by the page of the guide, in its language and theme', async () => {
    const account = await createTestAccount()
    pages.set('/guide', await readGuidePage(account.publishableKey))
    const tab = await newPage({ dark: true })
    await tab.goto(`${shopUrl()}/guide`)
    const frame = tab.frameLocator('wharf-importer iframe')
    await frame.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    expect(await frame.locator('html').getAttribute('lang')).toBe('de')
    expect(await frame.locator('html').getAttribute('style')).toBe('--accent: #5b3df5;')
    const { data } = (await createCaller(account.secretKey)('GET', '/spaces')).body
    expect(data[0].metadata).toEqual({ blueprint: { template: 'orders' } })
  })

  it('keeps properties that were set before its script, and is light on a light surface', async () => {
    const account = await createTestAccount()
    pages.set(
      '/early',
      `<!doctype html><html lang="en"><title>A shop</title><wharf-importer publishable-key="${account.publishableKey}"></wharf-importer>
      <script>
        const importer = document.querySelector('wharf-importer')
        importer.theme = { surface: '#ffffff', page: '#fafafa' }
        importer.metadata = { order: 7 }
        importer.setAttribute('open', '')
      </script>
      <script type="module" src="${getOrigin()}/wharf-importer.js"></script>`,
    )
    const tab = await newPage({ dark: true })
    await tab.goto(`${shopUrl()}/early`)
    const frame = tab.frameLocator('wharf-importer iframe')
    await frame.getByRole('heading', { level: 1 }).waitFor()
    const embedded = tab.frames().find((one) => one.url().endsWith('/embed'))!
    expect(await embedded.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(250, 250, 250)')
    expect(await frame.locator('html').getAttribute('data-theme')).toBe('light')
    const { data } = (await createCaller(account.secretKey)('GET', '/spaces')).body
    expect(data[0].metadata).toEqual({ order: 7 })
    const close = (await tab.locator('wharf-importer button').boundingBox())!
    const content = (await tab.locator('wharf-importer iframe').boundingBox())!
    expect(close.y + close.height).toBeLessThanOrEqual(content.y)
  })

  it('explains why it cannot open, and allows no other page of the platform in a frame', async () => {
    key = 'pk_nothing'
    const tab = await newPage()
    await tab.goto(shopUrl())
    await tab.evaluate("customElements.whenDefined('wharf-importer').then(() => element.open())")
    const [[name, detail]] = (await tab.evaluate('seen')) as [[string, { message: string }]]
    expect(name).toBe('error')
    expect(detail.message.length).toBeGreaterThan(5)
    await tab.setContent(`<iframe src="${getOrigin()}/sign-in"></iframe>`)
    await waitUntil(async () => pageErrors.length > 0)
    expect(pageErrors.splice(0).join()).toContain('frame-ancestors')
  })

  it('accepts only the origins its environment names, including those of the platform', async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    const administrator = (
      await createCaller(undefined)('POST', '/auth', { email: account.email, password: account.password })
    ).body
    await createCaller(administrator.accessToken)('PATCH', `/environments/${account.environmentId}`, {
      allowedOrigins: ['https://elsewhere.example'],
    })
    key = account.publishableKey
    const tab = await newPage()
    await tab.goto(shopUrl())
    const open = "customElements.whenDefined('wharf-importer').then(() => element.open())"
    await tab.evaluate(open)
    expect(JSON.stringify(await tab.evaluate('seen'))).toContain('does not allow')
    await createCaller(administrator.accessToken)('PATCH', `/environments/${account.environmentId}`, {
      allowedOrigins: [shopUrl()],
    })
    await tab.reload()
    await tab.evaluate(open)
    const frame = tab.frameLocator('wharf-importer iframe')
    await frame
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    await frame.getByText('Ready').waitFor({ timeout: 30_000 })
    expect((await call('GET', '/spaces')).body.data).toHaveLength(1)
  })
  it('works in no page that its environment does not allow, regardless of who created the space', async () => {
    const account = await createTestAccount()
    const { email, password } = account
    const { accessToken } = (await createCaller(undefined)('POST', '/auth', { email, password })).body
    const allow = (allowedOrigins: string[]) =>
      createCaller(accessToken)('PATCH', `/environments/${account.environmentId}`, { allowedOrigins })
    await allow(['https://elsewhere.example'])
    const made = (await createCaller(account.publishableKey)('POST', '/spaces', { name: 'Orders' })).body.data
    const tab = await newPage()
    await tab.goto(`${shopUrl()}/blank`)
    const open = `(async () => {
      document.body.innerHTML = '<iframe style="width: 900px; height: 600px" src="${getOrigin()}/embed"></iframe>'
      const frame = document.querySelector('iframe')
      addEventListener('message', ({ data, source }) => data?.type === 'wharf:ready' &&
        source.postMessage({ type: 'wharf:begin', spaceId: '${made.id}', token: '${made.accessToken}' }, '*'))
    })()`
    await tab.evaluate(open)
    await tab.frameLocator('iframe').getByText('does not allow').waitFor()
    await allow([shopUrl()])
    await tab.reload()
    await tab.evaluate(open)
    await tab.frameLocator('iframe').getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  })
})
