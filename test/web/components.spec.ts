import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations, inBrowser, type PageOptions, waitUntil, withBrowser } from './browser.ts'
import { withComponents } from './components/open.ts'

const getFocusedText = (page: Page) => page.evaluate('document.activeElement.textContent')

inBrowser('the components', () => {
  withBrowser()
  const openComponents = withComponents()

  it.each<[string, PageOptions]>([
    ['light', {}],
    ['dark', { dark: true }],
    ['from right to left', { language: 'ar-EG' }],
    ['on a phone', { width: 390 }],
    ['on a phone, dark, from right to left', { width: 390, dark: true, language: 'ar-EG' }],
  ])('have no violation known to axe-core and fit the page: %s', async (_name, options) => {
    const page = await openComponents(options)
    const width = options.width ?? 1280
    const found: Record<string, unknown> = {}
    const check = async (name: string) => {
      const violations = await findViolations(page)
      const scrollWidth = await page.evaluate('document.documentElement.scrollWidth')
      if (violations.length > 0 || scrollWidth !== width) found[name] = { violations, scrollWidth }
    }
    await check('page')
    const openers = ['City Select…', 'Select… Cities', 'Open calendar: Day', 'Actions', 'Open dialog', 'Open drawer']
    const arabic: Record<string, string> = {
      'City Select…': 'City اختر…',
      'Select… Cities': 'اختر… Cities',
      'Open calendar: Day': 'فتح التقويم: Day',
    }
    for (const opener of [...openers, 'Delete…']) {
      const name = options.language ? (arabic[opener] ?? opener) : opener
      await page.getByRole('button', { name, exact: true }).click()
      await page.locator('[role=dialog], [role=alertdialog], [role=menu]').first().waitFor()
      await check(opener)
      await page.keyboard.press('Escape')
      await page.locator('[role=dialog], [role=alertdialog], [role=menu]').first().waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Show toast' }).click()
    await page.getByRole('button', { name: 'Delete file' }).focus()
    await check('toast')
    expect(found).toEqual({})
  })

  it('find an option by typing, take it by Enter, keep the value by Escape, and add a new one', async () => {
    const page = await openComponents()
    const city = page.getByRole('button', { name: /^City (?!\d|.*(chosen|disabled|loading))/ })
    const options = page.getByRole('listbox').getByRole('option')
    await city.focus()
    await page.keyboard.type('switz')
    await options.first().waitFor()
    expect(await options.allInnerTexts()).toEqual(['Bern\nSwitzerland', 'Add “switz”'])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'City Bern', exact: true }).waitFor()
    expect(await getFocusedText(page)).toBe('Bern')
    await page.keyboard.press('Enter')
    await page.keyboard.type('City 14')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'City Bern', exact: true }).click()
    await page.getByText('54 more. Type to narrow them down.').waitFor()
    await page.getByRole('option', { name: 'Berlin' }).click()
    await page.getByRole('button', { name: 'City Berlin', exact: true }).click()
    await page.keyboard.type('Lagos')
    await page.getByRole('option', { name: 'Add “Lagos”' }).click()
    await page.getByRole('button', { name: 'City Lagos', exact: true }).waitFor()
  })

  it('choose several options as tags, by mouse and by keyboard', async () => {
    const page = await openComponents()
    const tags = page.getByRole('grid', { name: 'Cities', exact: true }).getByRole('row')
    await page.getByRole('button', { name: 'Select… Cities', exact: true }).click()
    await page.keyboard.type('bern')
    await page.keyboard.press('Enter')
    await page.keyboard.type('City 7')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await waitUntil(async () => (await tags.count()) === 4)
    expect(await tags.allInnerTexts()).toEqual(['Berlin', 'القاهرة', 'Bern', 'City 7'])
    await tags.first().getByRole('button').click()
    await tags.first().focus()
    await page.keyboard.press('Delete')
    await waitUntil(async () => (await tags.count()) === 2)
    expect(await tags.allInnerTexts()).toEqual(['Bern', 'City 7'])
  })

  it('take a date that is typed or chosen in a calendar', async () => {
    const page = await openComponents()
    const day = page.getByLabel('Day', { exact: true })
    await day.fill('2024-12-31')
    await page.getByText('Chosen: 2024-12-31').waitFor()
    await day.press('ArrowDown')
    await page.getByRole('dialog', { name: 'Day' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByText('Chosen: 2025-01-01').waitFor()
    await page.getByRole('button', { name: 'Open calendar: Day', exact: true }).click()
    await page.getByRole('button', { name: /15 January/ }).click()
    await page.getByText('Chosen: 2025-01-15').waitFor()
  })

  it('sort, select and open rows, and load more', async () => {
    const page = await openComponents()
    const list = page.getByRole('region', { name: 'People' })
    const getNames = () => list.getByRole('link').allInnerTexts()
    await list.getByRole('button', { name: 'Age' }).click()
    expect((await getNames())[0]).toBe('Ada Lovelace')
    await list.getByRole('button', { name: 'Age' }).press('Enter')
    expect((await getNames())[1]).toBe('Grace Hopper')
    expect(await list.getByRole('columnheader', { name: 'Age' }).getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('button', { name: 'Show more' }).click()
    await list.getByRole('checkbox', { name: 'Select all' }).check()
    expect(await list.getByRole('checkbox', { name: 'Select Joan Clarke' }).isChecked()).toBe(true)
    const { x, y } = (await list.getByRole('cell', { name: '36' }).boundingBox())!
    await page.mouse.click(x + 4, y + 4)
    await page.waitForURL(/#person-2$/)
  })

  it('undo from a toast, which stays while it has the focus', async () => {
    const page = await openComponents()
    await page.getByRole('button', { name: 'Show toast' }).click()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).press('Enter')
    await page.locator('.toast').getByText('Record restored.').waitFor()
  })
})
