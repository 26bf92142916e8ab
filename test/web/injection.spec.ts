import { expect, it } from 'vitest'
import {
  createTestAccount,
  inBrowser,
  mintSpace,
  newPage,
  pageErrors,
  signInWithoutPage,
  waitUntil,
  waitUntilDrawn,
  withBrowser,
} from './browser.ts'
import { clickCell } from './guest.ts'

const CORPUS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "';alert(1)//",
  '<svg onload=alert(1)>',
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '<math><mtext></mtext><mglyph><style><img src onerror=alert(1)></style></mglyph></math>',
  '\u202E<b onmouseover=alert(1)>txt',
  '<details open ontoggle=alert(1)>',
]
const DOCUMENT = `${CORPUS.join('\n\n')}

[link](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) ![x](x"onerror="alert(1))
<form action="https://evil.example"><input name=q></form> <style>body{display:none}</style> <a href="https://example.com" onclick="alert(1)">go</a>
`

inBrowser('injected text', () => {
  withBrowser()

  it('in cells, names of spaces, sheets, files, fields, guests, jobs and documents does not run', async () => {
    const account = await createTestAccount()
    const { call, space } = await mintSpace(account, CORPUS[1])
    const fields = CORPUS.map((label, at) => ({
      key: `f${at}`,
      label,
      type: 'string',
      constraints: [{ type: 'required' }],
    }))
    const workbook = (
      await call('POST', '/workbooks', {
        spaceId: space.id,
        name: CORPUS[0],
        sheets: [{ name: CORPUS[3], slug: 's', fields }],
      })
    ).body.data
    const sheet = workbook.sheets[0]
    const row = Object.fromEntries(
      CORPUS.map((value, at) => [
        `f${at}`,
        { value, messages: [{ type: 'warn', message: CORPUS[(at + 1) % CORPUS.length] }] },
      ]),
    )
    await call('POST', `/sheets/${sheet.id}/records`, [row])
    const document = (await call('POST', `/spaces/${space.id}/documents`, { title: CORPUS[1], body: DOCUMENT })).body
      .data
    const form = new FormData()
    form.set('spaceId', space.id)
    form.set('environmentId', account.environmentId)
    form.set('file', new Blob(['a,b\n1,2\n']), '"><img src=x onerror=alert(1)>.csv'.replaceAll('/', ''))
    const { baseUrl } = (await import('../support/api.ts')).getServer()
    const headers = { authorization: `Bearer ${account.secretKey}` }
    expect((await fetch(`${baseUrl}/v1/files`, { method: 'POST', headers, body: form })).status).toBe(200)
    const guest = {
      environmentId: account.environmentId,
      email: 'x@example.com',
      name: CORPUS[1],
      spaces: [{ id: space.id }],
    }
    await call('POST', '/guests', [guest])
    await call('POST', '/jobs', {
      type: 'space',
      operation: '<img src=x onerror=alert(1)>',
      source: space.id,
      info: CORPUS[1],
    })
    await call('POST', '/snapshots', { sheetId: sheet.id, label: CORPUS[1] })
    await call('POST', '/views', { sheetId: sheet.id, name: CORPUS[1], config: {} })
    const action = { targetId: sheet.id, operation: CORPUS[1], label: CORPUS[1], description: CORPUS[3] }
    await call('POST', `/actions?spaceId=${space.id}`, { ...action, mount: { type: 'field' } })
    await call('POST', '/secrets', { name: CORPUS[1], value: CORPUS[0], environmentId: account.environmentId })
    const file = { spaceId: space.id, name: CORPUS[1], labels: ['file'], sheets: [{ name: CORPUS[0], fields }] }
    const source = (await call('POST', '/workbooks', file)).body.data
    await call('POST', `/sheets/${source.sheets[0].id}/records`, [row])
    const config = { sourceSheetId: source.sheets[0].id, destinationSheetId: sheet.id }
    const map = {
      type: 'workbook',
      operation: 'map',
      source: source.id,
      destination: workbook.id,
      managed: true,
      config,
    }
    const job = (await call('POST', '/jobs', map)).body.data
    const page = await newPage()
    await signInWithoutPage(page, account)
    for (const name of ['spaces', 'guests', 'jobs', 'events', 'secrets', 'audit']) {
      await page.goto(`/console/${account.environmentId}/${name}`)
      await page.getByRole('table').waitFor()
      await waitUntilDrawn(page)
    }
    await page.goto(`/s/${space.id}/map/${job.id}`)
    await page.locator('.mapping-row').first().waitFor()
    for (const path of ['', '/files', `/documents/${document.id}`, `/sheets/${sheet.id}`]) {
      await page.goto(`/s/${space.id}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await waitUntilDrawn(page)
    }
    await waitUntil(async () => (await page.locator('[role=gridcell]').first().textContent()) === CORPUS[0])
    await clickCell(page, 0, -1, 'right')
    await page.getByRole('menuitem', { name: CORPUS[1] }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^View/ }).click()
    await page.getByRole('dialog').getByText(CORPUS[1]!).first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Snapshots' }).click()
    await page.getByRole('dialog').getByText(CORPUS[1]!).first().waitFor()
    await page.goto(`/s/${space.id}/documents/${document.id}`)
    const prose = page.locator('.prose')
    await prose.waitFor()
    expect(await prose.locator('script, iframe, form, input, style').count()).toBe(0)
    const attributes = (await page.evaluate(
      '[...document.querySelectorAll(".prose *")].flatMap((each) => each.getAttributeNames().map((name) => [name, each.getAttribute(name)]))',
    )) as [string, string][]
    expect(attributes.filter(([name, value]) => /^on/.test(name) || /^\s*(javascript|data):/i.test(value))).toEqual([])
    // The policy blocks and reports images in documents; no script may be among the reports.
    expect(pageErrors.splice(0).filter((each) => !/img-src/.test(each))).toEqual([])
  })
})
