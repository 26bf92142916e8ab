import { existsSync, statSync, writeFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createCaller, createTestAccount, inBrowser, waitUntil, waitUntilDrawn, withBrowser } from '../browser.ts'
import { enterAsGuest } from '../guest.ts'
import { isWriting } from './camera.ts'
import { TOUR } from './list.ts'
import { recordMovingPicture } from './moving-picture.ts'
import { FIELDS, FILE } from './tour-file.ts'

const MAX_BYTES = 1.5 * 1024 * 1024
const [STEPS, STEP_MS, READ_MS, LAST_MS] = [6, 60, 1500, 3500]

/** Playwright draws no mouse pointer. The file is what the pointer drags, and the caption says what happens. */
const STAGE = `(() => {
  const add = (id, css, html = '') => {
    const element = document.createElement('div')
    element.id = id
    element.style.cssText = 'position:fixed;z-index:99999;pointer-events:none;' + css
    element.innerHTML = html
    document.body.append(element)
  }
  add('tour-file', 'background:#fff;color:#16202a;border:1px solid #b9c3cc;border-radius:10px;box-shadow:0 12px 40px #0003;padding:14px 18px;font:14px/1.6 ui-monospace,Menlo,monospace;white-space:pre;left:150px;top:170px')
  add('tour-caption', 'left:50%;bottom:22px;transform:translateX(-50%);background:#084b57;color:#fff;border-radius:999px;padding:9px 20px;font:600 17px system-ui,sans-serif;white-space:nowrap')
  add('tour-pointer', 'width:22px;height:28px;left:900px;top:600px', '<svg viewBox="0 0 22 28" width="22" height="28"><path d="M2 2v21l5-5 4 9 4-2-4-9h7z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>')
})()`

async function startTour(page: Page) {
  await page.setViewportSize({ width: 1040, height: 650 })
  await page.evaluate(STAGE)
  const picture = isWriting ? await recordMovingPicture(page) : undefined
  const pointer = { x: 900, y: 600 }
  const style = (id: string, css: Record<string, string>) =>
    page.evaluate(`Object.assign(document.getElementById('${id}').style, ${JSON.stringify(css)})`)
  const show = async (durationMs: number) => picture?.addFrame(durationMs)
  const tour = {
    style,
    async say(text: string, durationMs = READ_MS) {
      await waitUntilDrawn(page)
      await page.evaluate(`document.getElementById('tour-caption').textContent = ${JSON.stringify(text)}`)
      await show(durationMs)
    },
    async pointAt(target: Locator, dragged?: string) {
      await target.scrollIntoViewIfNeeded()
      const box = (await target.boundingBox())!
      const [x, y] = [box.x + Math.min(box.width / 2, 400), box.y + box.height / 2]
      for (let step = 1; step <= STEPS; step++) {
        const [left, top] = [pointer.x + ((x - pointer.x) * step) / STEPS, pointer.y + ((y - pointer.y) * step) / STEPS]
        for (const id of dragged ? [dragged, 'tour-pointer'] : ['tour-pointer'])
          await style(id, { left: `${left}px`, top: `${top}px` })
        await show(STEP_MS)
      }
      Object.assign(pointer, { x, y })
    },
    async click(target: Locator) {
      await tour.pointAt(target)
      await show(READ_MS / 3)
      await target.click()
    },
    write: () => picture && writeFileSync(TOUR, picture.finish()),
  }
  return tour
}

async function dropFile(page: Page): Promise<void> {
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer()
    data.items.add(new File([text], 'kunden.csv', { type: 'text/csv' }))
    return data
  }, FILE)
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer })
}

inBrowser('the moving picture of README.md', () => {
  withBrowser()

  it('shows how a messy file becomes clean records', async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    const { environmentId } = account
    const space = (
      await call('POST', '/spaces', { name: 'Spring import', environmentId, guestAuthentication: 'shared_link' })
    ).body.data
    const sheets = [{ name: 'Customers', slug: 'customers', fields: FIELDS }]
    const workbook = (await call('POST', '/workbooks', { spaceId: space.id, environmentId, name: 'Customers', sheets }))
      .body.data
    const sheet = workbook.sheets[0]
    const page = await enterAsGuest({ account, call, space, workbook, sheet }, 'Grace')
    await page.getByRole('heading', { name: 'What we need' }).waitFor()
    const tour = await startTour(page)

    await page.evaluate(
      `document.getElementById('tour-file').textContent = ${JSON.stringify(FILE.split('\n').slice(0, 9).join('\n'))}`,
    )
    await tour.say('A customer sends a messy file', 2 * READ_MS)
    await page.evaluate("document.getElementById('tour-file').textContent = 'kunden.csv'")
    await tour.pointAt(page.locator('.drop'), 'tour-file')
    await tour.style('tour-file', { display: 'none' })
    await dropFile(page)
    const match = page.getByRole('button', { name: 'Match columns' })
    await match.waitFor({ timeout: 30_000 })
    await tour.say('Header, encoding and delimiter are detected')
    await tour.click(match)
    await page.getByText(/records will be imported/).waitFor({ timeout: 30_000 })
    await tour.say('Columns find their fields, dates and amounts are read', 2 * READ_MS)
    await tour.click(page.getByRole('button', { name: 'Confirm and import' }))
    await page.waitForURL('**/sheets/**', { timeout: 30_000 })
    await tour.say('What has two meanings is left to a person')
    await tour.click(page.getByRole('button', { name: 'Review errors' }))
    const review = page.getByRole('dialog', { name: 'Review errors' })
    const dates = review.getByRole('listitem', { name: 'Born' }).first()
    await tour.click(dates.getByRole('button', { name: 'Fix…: Born' }))
    const fix = dates.getByRole('button', { name: /^Fix [\d,]+ records$/ }).first()
    await fix.waitFor({ timeout: 30_000 })
    await tour.say('One decision fixes a whole group', 2 * READ_MS)
    await tour.click(fix)
    await review.getByText('The fix is applied.').waitFor({ timeout: 30_000 })
    await tour.click(review.getByRole('button', { name: 'Close' }))
    await waitUntil(async () => (await call('GET', `/sheets/${sheet.id}/counts`)).body.data.counts.error === 0)
    await tour.say('Clean records', LAST_MS)
    tour.write()
    expect(existsSync(TOUR)).toBe(true)
    expect(statSync(TOUR).size).toBeLessThan(MAX_BYTES)
  })
})
