/**
 * Opens every page in a space with data. `npm run test:web -- screens` also writes the images of docs/screens and
 * the list of them.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  createTestAccount,
  inBrowser,
  mintSpace,
  newPage,
  signInWithoutPage,
  waitUntil,
  waitUntilDrawn,
  withBrowser,
} from './browser.ts'
import { chooseFile, enterAsGuest } from './guest.ts'
import { addRecords, elementPage, getFrame, newShopAccount, withShop } from './shop.ts'

const FOLDER = 'docs/screens'
const MAX_BYTES = 100 * 1024
const isWriting = process.env.WRITE_SCREENS === 'yes'
const taken = new Map<string, string>()

const NAMES = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Barbara Liskov', 'Edsger Dijkstra', 'Frances Allen']
const RECORDS = Array.from({ length: 60 }, (_, index) => {
  const [first, last] = NAMES[index % NAMES.length]!.split(' ') as [string, string]
  return {
    name: index % 9 === 8 ? '' : `${first} ${last}`,
    email: `${first}.${last}${index}@example.com`.toLowerCase(),
    age: index % 7 === 6 ? 'unknown' : 25 + (index % 40),
    status: ['active', 'gone', 'paused'][index % 3],
  }
})
const CSV = `Full name;Mail;Age in years;State\n${RECORDS.map((one) => Object.values(one).join(';')).join('\n')}\n`

/** Chromium writes PNG and JPEG only, but its canvas also writes WebP, a third of the size. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext('2d').drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })
    const reader = new FileReader()
    await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(blob) })
    return reader.result.split(',')[1]
  })()`)
  return Buffer.from(base64 as string, 'base64')
}

async function take(page: Page, name: string, title: string): Promise<void> {
  await waitUntilDrawn(page)
  expect(await page.locator('[role=alert]').count(), `${name} shows an error`).toBe(0)
  taken.set(name, title)
  if (!isWriting) return
  const blank = await page.context().newPage()
  const image = await toWebp(blank, await page.screenshot())
  await blank.close()
  expect(image.length, `${name} is too large for the documentation`).toBeLessThan(MAX_BYTES)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/${name}.webp`, image)
}

inBrowser('the images of the documentation', () => {
  withBrowser()
  const shop = withShop()

  it('show the pages of a guest', async () => {
    const account = await createTestAccount()
    const made = await mintSpace(account, 'Spring import', { guestAuthentication: 'shared_link' })
    const { call, space, sheet, workbook } = made
    await call('POST', `/sheets/${sheet.id}/records`, RECORDS)
    const page = await enterAsGuest({ account, ...made }, 'Grace')
    await chooseFile(page, 'people.csv', CSV)
    const file = await waitUntil(async () => {
      const [found] = (await call('GET', `/files?spaceId=${space.id}`)).body.data
      return found?.workbookId && found
    }, 30)
    const source = (await call('GET', `/workbooks/${file.workbookId}`)).body.data.sheets[0]
    const { data: job } = (
      await call('POST', '/jobs', {
        type: 'workbook',
        operation: 'map',
        source: file.workbookId,
        destination: workbook.id,
        fileId: file.id,
        managed: true,
        config: { sourceSheetId: source.id, destinationSheetId: sheet.id },
      })
    ).body
    const open = async (path: string) => {
      await page.goto(`/s/${space.id}${path}`)
      await page.locator('main').waitFor()
    }
    await open('')
    await take(page, 'overview', 'A space')
    await open('/files')
    await take(page, 'files', 'The files of a space')
    await open(`/map/${job.id}`)
    await page.getByRole('heading', { level: 1 }).waitFor({ timeout: 30_000 })
    await take(page, 'mapping', 'The columns of a file and the fields they fill')
    await open(`/sheets/${sheet.id}`)
    await page.getByTestId('data-grid-canvas').waitFor()
    await take(page, 'sheet', 'A sheet')
    await page.emulateMedia({ colorScheme: 'dark' })
    await take(page, 'dark', 'A sheet in dark mode')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 390, height: 800 })
    await take(page, 'phone', 'A sheet on a phone')
    await page.setViewportSize({ width: 1280, height: 800 })
    await open('/activity')
    await take(page, 'activity', 'The activity of a space')
    await page.evaluate("localStorage.setItem('wharf.language', 'ar')")
    await open('')
    await take(page, 'arabic', 'A space in Arabic')
  })

  it('show the pages of an administrator', async () => {
    const account = await createTestAccount()
    await mintSpace(account, 'Spring import')
    const page = await newPage()
    await page.goto('/sign-in')
    await take(page, 'sign-in', 'Sign-in')
    await signInWithoutPage(page, account)
    await page.goto('/console')
    const links = page.locator(`nav a[href*="${account.environmentId}"]`)
    await links.first().waitFor()
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) {
      await page.goto(path)
      const title = await page.locator('main h1').first().textContent()
      await take(page, `console-${path.split('/').at(-1)}`, `Console: ${title}`)
    }
  })

  it('show the embedded importer', async () => {
    const { account, call } = await newShopAccount()
    const page = await shop.open(elementPage(account.publishableKey, 'mode="wizard"'))
    await page.getByRole('button', { name: 'Import' }).click()
    await addRecords(call, RECORDS)
    await getFrame(page).getByRole('link', { name: 'Review' }).waitFor()
    await take(page, 'importer', 'The importer in a page, as a wizard')
  })

  it('exist for every page, and no others', () => {
    const files = [...taken.keys()].map((name) => `${name}.webp`).sort()
    if (isWriting) {
      const lines = [...taken].map(([name, title]) => `## ${title}\n\n![${title}](${name}.webp)\n`)
      writeFileSync(`${FOLDER}/README.md`, `# Screens\n\n${lines.join('\n')}`)
      for (const name of readdirSync(FOLDER))
        if (!files.includes(name) && name !== 'README.md') rmSync(`${FOLDER}/${name}`)
    }
    expect(existsSync(`${FOLDER}/README.md`)).toBe(true)
    expect(
      readdirSync(FOLDER)
        .filter((name) => name !== 'README.md')
        .sort(),
    ).toEqual(files)
  })
})
