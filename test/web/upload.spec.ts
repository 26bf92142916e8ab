import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_SINGLE_UPLOAD_BYTES } from '../../schemas/files/shape.ts'
import { FILE_PASSWORD, readProtected } from '../support/protected-workbooks.ts'
import { findViolations, inBrowser, waitUntil, waitUntilDrawn, withBrowser } from './browser.ts'
import { newGuestPage } from './guest.ts'

const BYTES = MAX_SINGLE_UPLOAD_BYTES + 4 * 1024 * 1024

async function throttleUpload(page: Page, bytesASecond: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const rest = { offline: false, latency: 0, downloadThroughput: -1 }
  await devtools.send('Network.emulateNetworkConditions', { ...rest, uploadThroughput: bytesASecond })
}

inBrowser('uploads', () => {
  withBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'wharf-upload-'))
  const large = join(folder, 'large.bin')
  beforeAll(() => {
    writeFileSync(large, 'x')
    truncateSync(large, BYTES)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('send a large file in parts with progress, and resume with the missing parts after a broken connection', async () => {
    const { page, call, space } = await newGuestPage()
    const partOf = (url: string) => new URL(url).searchParams.get('partNumber')
    const begun: (string | null)[] = []
    page.on('request', (request) => request.method() === 'PUT' && begun.push(partOf(request.url())))
    await throttleUpload(page, 20_000_000)
    await page.evaluate(`
      window.seen = []
      setInterval(() => {
        const bar = document.querySelector('.upload progress')
        if (bar && bar.value !== seen.at(-1)) seen.push(bar.value)
      }, 10)`)
    await page.evaluate(`
      window.broken = true
      const { open, send } = XMLHttpRequest.prototype
      XMLHttpRequest.prototype.open = function (method, url) { this.first = /partNumber=1(&|$)/.test(url); open.call(this, method, url) }
      XMLHttpRequest.prototype.send = function (body) {
        if (this.first && broken) setTimeout(() => this.dispatchEvent(new ProgressEvent('error')), 50)
        else send.call(this, body)
      }`)
    await page.setInputFiles('input[type=file]', large)
    await page.locator('.upload').getByRole('alert').waitFor({ timeout: 60_000 })
    const seen = (await page.evaluate('seen')) as number[]
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen)
    expect(seen.at(-1)).toBeLessThan(BYTES)
    expect(begun.splice(0)).toEqual(['2'])
    await page.evaluate('broken = false')
    await page.getByRole('link', { name: 'Files' }).click()
    await page.locator('.upload').getByRole('button', { name: 'Try again' }).click()
    await page.locator('.upload').waitFor({ state: 'detached', timeout: 60_000 })
    await page.locator('.file-row', { hasText: 'large.bin' }).waitFor()
    expect(begun).toEqual(['1'])
    const [file] = (await call('GET', `/files?spaceId=${space.id}`)).body.data
    expect(file).toMatchObject({ name: 'large.bin', size: BYTES, status: 'complete' })
  })

  it('can be canceled, which discards the sent parts', async () => {
    const { page, call, space } = await newGuestPage()
    await throttleUpload(page, 1_000_000)
    await page.setInputFiles('input[type=file]', large)
    await waitUntil(async () => (await call('GET', `/files?spaceId=${space.id}`)).body.data.length === 1)
    await page.locator('.upload').getByRole('button', { name: 'Cancel' }).click()
    await waitUntil(async () => (await call('GET', `/files?spaceId=${space.id}`)).body.data.length === 0)
    expect(await page.locator('.upload').count()).toBe(0)
  })

  it('ask for the password of a workbook', async () => {
    const { page, call, space } = await newGuestPage()
    const buffer = readProtected('agile-sha1-aes128.xlsx')
    await page.setInputFiles('input[type=file]', { name: 'berths.xlsx', mimeType: 'application/zip', buffer })
    await page.getByRole('link', { name: 'Files' }).click()
    await page.getByRole('button', { name: 'Enter password: berths.xlsx' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill('harbour')
    await dialog.getByLabel('Password').press('Enter')
    await dialog.getByText('The password is wrong.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByLabel('Password').fill(FILE_PASSWORD)
    await dialog.getByRole('button', { name: 'Unlock' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.file-row', { hasText: 'berths.xlsx' }).getByText('Ready').waitFor()
    const [file] = (await call('GET', `/files?spaceId=${space.id}`)).body.data
    expect(file.passwordRequired).toBeUndefined()
  })

  it('stay on the page when a file is dropped next to the zone', async () => {
    const { page, call, space } = await newGuestPage()
    const isPrevented = await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['Name\nAda\n'], 'people.csv', { type: 'text/csv' }))
      return ['dragover', 'drop'].map((type) => {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
        document.querySelector('h1')!.dispatchEvent(event)
        return event.defaultPrevented
      })
    })
    expect(isPrevented).toEqual([true, true])
    await waitUntilDrawn(page)
    expect((await call('GET', `/files?spaceId=${space.id}`)).body.data).toEqual([])
  })

  it('accept several dropped files together', async () => {
    const { page, call, space } = await newGuestPage()
    const drag = await page.evaluateHandle(`(() => {
      const drag = new DataTransfer()
      for (const name of ['one', 'two', 'three'])
        drag.items.add(new File(['Name,Age\\n' + name + ',1\\n'], name + '.csv', { type: 'text/csv' }))
      return drag
    })()`)
    const drop = page.locator('.drop')
    await drop.dispatchEvent('dragenter', { dataTransfer: drag })
    await page.locator('.drop.over').waitFor()
    await drop.dispatchEvent('drop', { dataTransfer: drag })
    for (const name of ['one', 'two', 'three'])
      await page
        .locator('.file-row', { hasText: `${name}.csv` })
        .getByText('Ready')
        .waitFor({ timeout: 60_000 })
    expect(await page.locator('.drop.over').count()).toBe(0)
    expect((await call('GET', `/files?spaceId=${space.id}`)).body.data).toHaveLength(3)
  })
})
