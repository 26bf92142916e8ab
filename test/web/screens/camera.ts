import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { waitUntilDrawn } from '../browser.ts'
import { FOLDER, getFile, type Part, SCREENS, type Screen } from './list.ts'

export const MAX_BYTES = 100 * 1024
export const isWriting = process.env.WRITE_SCREENS === 'yes'
const [GOOD, FAIR] = [0.6, 0.45]

/** Chromium writes PNG and JPEG only, but its canvas also writes WebP, a third of the size. */
async function toWebp(page: Page, png: Buffer, quality: number): Promise<Buffer> {
  const base64 = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext('2d').drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${quality} })
    const reader = new FileReader()
    await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(blob) })
    return reader.result.split(',')[1]
  })()`)
  return Buffer.from(base64 as string, 'base64')
}

async function write(page: Page, name: string, fullPage: boolean): Promise<void> {
  const png = await page.screenshot({ fullPage })
  let image = await toWebp(page, png, GOOD)
  if (image.length >= MAX_BYTES) image = await toWebp(page, png, FAIR)
  expect(image.length, `${name} is too large for the documentation`).toBeLessThan(MAX_BYTES)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(getFile(name), image)
}

function isAt(url: string, path: string): boolean {
  const parts = new URL(url).pathname.split('/')
  const expected = path.split('/')
  return parts.length === expected.length && expected.every((part, at) => part.startsWith(':') || part === parts[at])
}

export function useCamera(part: Part) {
  const screens: readonly Screen[] = SCREENS[part].screens
  const missing = new Set(screens.map(({ name }) => name))
  return {
    async take(page: Page, name: string, { fullPage = false, isComplete = true } = {}): Promise<void> {
      const found = screens.find((screen) => screen.name === name)
      expect(found, `${name} is not in list.ts`).toBeDefined()
      if (isComplete) await page.locator('.spinner').first().waitFor({ state: 'detached' })
      await waitUntilDrawn(page)
      if (isComplete) expect(await page.locator('[role=alert], .spinner').count(), `${name} is not complete`).toBe(0)
      const urls = page.frames().map((frame) => frame.url())
      expect(
        urls.some((url) => URL.canParse(url) && isAt(url, found!.path)),
        `${name} is at ${urls}`,
      ).toBe(true)
      if (isWriting) await write(page, name, fullPage)
      missing.delete(name)
    },
    expectAllTaken(): void {
      expect([...missing], 'not taken').toEqual([])
      expect(screens.filter(({ name }) => !existsSync(getFile(name)))).toEqual([])
    },
  }
}
