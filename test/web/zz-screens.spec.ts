import { it } from 'vitest'
import { callerOf, inBrowser, mintAccount, mintSpace, newPage, signIn, until, withBrowser, faults } from './browser.ts'
const OUT = '/tmp/h-web/docs/screens'
inBrowser('screens', () => {
  withBrowser()
  it('takes them', { timeout: 300_000 }, async () => {
    const account = await mintAccount()
    const { call, space, sheet } = await mintSpace(account, 'Spring import')
    const names = ['Ada Lovelace', 'Grace Hopper', 'Joan Clarke', 'Alan Turing', 'Edsger Dijkstra', 'Barbara Liskov', 'Donald Knuth', 'Radia Perlman']
    const rows = Array.from({ length: 2400 }, (_, at) => {
      const name = names[at % 8]!
      return { name: at % 23 === 3 ? '' : name, email: at % 31 === 7 ? 'ada@example.com' : `${name.toLowerCase().replace(' ', '.')}.${at}@example.com`, age: at % 17 === 5 ? 'unknown' : 20 + ((at * 7) % 60), status: at % 11 === 9 ? 'retired' : at % 3 ? 'active' : 'gone' }
    })
    await call('POST', `/sheets/${sheet.id}/records`, rows)
    await call('POST', `/spaces/${space.id}/documents`, { title: 'Read me first', body: '# Welcome\n\nBring your **contacts** as CSV or XLSX.\n\n- one row a person\n- e-mail addresses are unique\n' })
    await call('POST', '/guests', [{ environmentId: account.environmentId, email: 'grace@example.com', name: 'Grace', spaces: [{ id: space.id }] }, { environmentId: account.environmentId, email: 'joan@example.com', name: 'Joan', spaces: [{ id: space.id }] }])
    const page = await newPage()
    await signIn(page, account)
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await page.getByTestId('data-grid-canvas').waitFor()
    await until(async () => (await page.locator('[role=gridcell]').first().textContent()) !== '')
    await page.getByText('Live', { exact: true }).waitFor()
    const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
    await page.mouse.click(box.x + 44 + 190 * 2 + 50, box.y + 34 + 30 * 5 + 15)
    await page.waitForTimeout(1500)
    await page.screenshot({ path: `${OUT}/sheet.png` })
    await page.goto(`/s/${space.id}`)
    await page.setInputFiles('input[type=file]', { name: 'contacts 2026.csv', mimeType: 'text/csv', buffer: Buffer.from('Full name,E-Mail,Years,State,Notes\nAda,ada2@example.com,36,active,called twice\nGrace,g@example.com,85,retired,\nJoan,j@example.com,41,gone,writes back\n') })
    await page.getByRole('button', { name: 'Import…' }).waitFor({ timeout: 60_000 })
    await page.waitForTimeout(800)
    await page.screenshot({ path: '/tmp/h-web-tmp/overview2.png' })
    await page.getByRole('button', { name: 'Import…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Columns for People' }).waitFor()
    await page.waitForTimeout(1500)
    await page.screenshot({ path: `${OUT}/mapping.png` })
    await call('POST', '/agents', { slug: 'greeter', topics: ['space:created', 'commit:created'], source: "exports.routeEvent = (event) => { console.log('saw ' + event.topic + ' of ' + event.context.spaceId) }" })
    for (let at = 0; at < 4; at++) await call('POST', '/spaces', { name: `Import ${at}`, environmentId: account.environmentId })
    await page.goto('/console')
    await page.getByRole('navigation').getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('button', { name: 'Runs: greeter' }).click()
    await page.getByText('saw space:created').first().waitFor({ timeout: 60_000 })
    await page.waitForTimeout(1500)
    await page.screenshot({ path: `${OUT}/console.png` })
    const dark = await newPage({ dark: true, language: 'ar' })
    const session = JSON.stringify({ token: account.secretKey, kind: 'user', expiresAt: Date.now() + 3600000 })
    await dark.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
    await dark.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await dark.waitForTimeout(4000)
    await dark.screenshot({ path: '/tmp/h-web-tmp/dark.png' })
    faults.splice(0)
  })
})
