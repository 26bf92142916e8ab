import { expect, it } from 'vitest'
import { findViolations, inBrowser, withBrowser } from './browser.ts'
import { newGuestPage } from './guest.ts'

const PAGE_COLORS = { light: 'rgb(246, 247, 249)', dark: 'rgb(16, 20, 24)' }

inBrowser('the frame of a page', () => {
  withBrowser()

  it('is light or dark as chosen, also after a reload, and otherwise like the system', async () => {
    const { page } = await newGuestPage()
    const readColor = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await readColor()).toBe(PAGE_COLORS.light)
    const readTextColor = "getComputedStyle(document.querySelector('.button.primary')).color"
    expect(await page.evaluate(readTextColor)).toBe('rgb(255, 255, 255)')
    await page.getByRole('button', { name: 'Dark' }).click()
    expect(await readColor()).toBe(PAGE_COLORS.dark)
    await page.reload()
    await page.getByRole('button', { name: 'Dark', pressed: true }).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await readColor()).toBe(PAGE_COLORS.dark)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Like the system' }).click()
    expect(await readColor()).toBe(PAGE_COLORS.light)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await readColor()).toBe(PAGE_COLORS.dark)
  })

  it('has its navigation in a bar of 56 pixels on a phone', async () => {
    const { page, space } = await newGuestPage()
    await page.setViewportSize({ width: 390, height: 844 })
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.waitFor()
    expect((await page.locator('main').boundingBox())!.y).toBe(56)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await menu.click()
    const dialog = page.getByRole('dialog', { name: 'Menu' })
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('link', { name: 'Files' }).click()
    await page.waitForURL(`**/s/${space.id}/files`)
    await dialog.waitFor({ state: 'detached' })
  })
})
