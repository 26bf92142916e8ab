/** The headers of columns, which are on a canvas: the type of the field, and its number of errors. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, withBrowser } from './browser.ts'
import { editCell, newGuestPage, openSheet } from './guest.ts'

const HEADER = 34
const ICON = { x: 8, y: 7, width: 20, height: 20 }
const [MARKS, WIDTH, MIN_WIDTH] = [40, 190, 120]

const option = (value: string) => ({ value, label: value })
const TYPES: [type: string, config?: object][] = [
  ['string'],
  ['number'],
  ['boolean'],
  ['date'],
  ['enum', { options: [option('a'), option('b')] }],
  ['reference', { ref: 'types', key: 'f0', relationship: 'has-one' }],
  ['string-list'],
]

interface DrawnText {
  text: string
  x: number
}

/** Keeps the texts that were drawn last in the header, by their position. */
async function recordHeader(page: Page): Promise<() => Promise<DrawnText[]>> {
  await page.addInitScript(`{
    const drawn = (window.drawnHeader = new Map())
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
      if (y < ${HEADER}) drawn.set(Math.round(x), { text, x })
      return fillText.call(this, text, x, y, ...more)
    }
  }`)
  return () => page.evaluate('[...drawnHeader.values()]')
}

const getHeaderCount = (texts: readonly DrawnText[], column: number): string | undefined =>
  texts.find(({ text, x }) => /^[\d,]+$/.test(text) && x > MARKS + WIDTH * column && x < MARKS + WIDTH * (column + 1))
    ?.text

inBrowser('headers of columns', () => {
  withBrowser()

  it('count the errors of a field, and follow corrections', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    const wrong = Array.from({ length: 1200 }, (_, at) => ({ name: at < 2 ? null : `Ada ${at}`, age: 'old' }))
    await call('POST', `/sheets/${sheet.id}/records`, [{ name: 'First', age: 1 }, ...wrong])
    const readHeader = await recordHeader(page)
    await openSheet(page, made, 'First')
    const expectCount = (column: number, count: string | undefined) =>
      expect.poll(async () => getHeaderCount(await readHeader(), column), { timeout: 15_000 }).toBe(count)
    await expectCount(2, '1,200')
    await expectCount(0, '2')
    expect(getHeaderCount(await readHeader(), 1)).toBeUndefined()
    await page.evaluate('drawnHeader.clear()')
    await editCell(page, 0, 1, 'Grace')
    await expectCount(0, '1')
  })

  it('show an icon for each type', async () => {
    const { page, call, space } = await newGuestPage()
    const fields = [...TYPES, TYPES[0]!].map(([type, config], at) => {
      return { key: `f${at}`, label: 'X', type, config, appearance: { size: 'xs' } }
    })
    const sheets = [{ name: 'Types', slug: 'types', fields }]
    const [sheet] = (await call('POST', '/workbooks', { spaceId: space.id, name: 'Types', sheets })).body.data.sheets
    await call('POST', `/sheets/${sheet.id}/records`, [{ f0: 'one' }])
    await openSheet(page, { space, sheet }, 'one')
    const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
    await page.mouse.move(box.x + 200, box.y + 200)
    const takeIcon = async (column: number) => {
      const clip = { ...ICON, x: box.x + MARKS + MIN_WIDTH * column + ICON.x, y: box.y + ICON.y }
      return (await page.screenshot({ clip })).toString('base64')
    }
    const takeIcons = async () => {
      const icons: string[] = []
      for (let column = 0; column < fields.length; column++) icons.push(await takeIcon(column))
      return icons
    }
    await expect.poll(async () => new Set(await takeIcons()).size, { timeout: 15_000 }).toBe(TYPES.length)
    const icons = await takeIcons()
    expect(icons.at(-1)).toBe(icons[0])
  })
})
