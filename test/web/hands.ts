import type { Locator, Page } from 'playwright-core'
import { FIELDS, waitUntil } from './browser.ts'

const MAX_TABS = 150
const FOUND_MS = 30_000
const SELECT_ALL = 'ControlOrMeta+A'
const [MARKS, WIDTH, HEADER, ROW] = [40, 190, 34, 30]

export interface Hands {
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
  choose(list: Locator, option: string): Promise<void>
  chooseFile(field: Locator, name: string, text: string): Promise<void>
  selectCell(grid: Locator, field: string, row: number): Promise<void>
  leaveGrid(): Promise<void>
}

const useMouse = (page: Page): Hands => ({
  press: (target) => target.click({ timeout: FOUND_MS }),
  async write(target, text) {
    await target.click()
    await page.keyboard.press(SELECT_ALL)
    await page.keyboard.type(text)
  },
  choose: async (list, option) => void (await list.selectOption({ label: option })),
  chooseFile: (field, name, text) =>
    answerChooser(page, name, text, async () => field.locator('xpath=ancestor::label').click()),
  async selectCell(grid, field, row) {
    const { column, columns } = await findColumn(grid, field)
    const clickAt = (at: number) =>
      grid.click({ force: true, position: { x: MARKS + WIDTH * at + WIDTH / 2, y: HEADER + ROW * row + ROW / 2 } })
    await clickAt((column + 1) % columns)
    await clickAt(column)
  },
  leaveGrid: async () => {},
})

const useKeyboard = (page: Page): Hands => {
  const reach = async (target: Locator) => {
    await target.waitFor({ state: 'attached', timeout: FOUND_MS })
    // Tab passes what is disabled, and ends in the grid.
    await waitUntil(() => target.isEnabled(), FOUND_MS / 1000)
    for (let presses = 0; presses < MAX_TABS; presses++) {
      if (await target.evaluate(hasFocus)) return
      await page.keyboard.press('Tab')
    }
    const focused = await target.evaluate(({ ownerDocument }) => ownerDocument.activeElement?.outerHTML.slice(0, 200))
    throw new Error(`The keyboard does not reach ${target}, the focus is on ${focused}.`)
  }
  return {
    async press(target) {
      await reach(target)
      await page.keyboard.press('Enter')
    },
    async write(target, text) {
      await reach(target)
      await page.keyboard.press(SELECT_ALL)
      await page.keyboard.type(text)
    },
    async choose(list, option) {
      await reach(list)
      await page.keyboard.type(option)
    },
    chooseFile: (field, name, text) =>
      answerChooser(page, name, text, async () => {
        await reach(field)
        await page.keyboard.press('Enter')
      }),
    async selectCell(grid, field, row) {
      await reach(grid)
      await page.keyboard.press('ControlOrMeta+Home')
      const { column } = await findColumn(grid, field)
      for (let at = 0; at < column; at++) await page.keyboard.press('ArrowRight')
      for (let at = 0; at < row; at++) await page.keyboard.press('ArrowDown')
    },
    leaveGrid: () => page.keyboard.press('Escape'),
  }
}

export const createHands = (page: Page, by: 'mouse' | 'keyboard'): Hands =>
  by === 'mouse' ? useMouse(page) : useKeyboard(page)

async function answerChooser(page: Page, name: string, text: string, open: () => Promise<void>): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

async function findColumn(grid: Locator, field: string): Promise<{ column: number; columns: number }> {
  const isReversed = await grid.evaluate((element) => element.ownerDocument.dir === 'rtl')
  const keys = FIELDS.map(({ key }) => key)
  return { column: (isReversed ? keys.toReversed() : keys).indexOf(field), columns: keys.length }
}

const hasFocus = (element: Element): boolean =>
  element.contains((element.getRootNode() as Document | ShadowRoot).activeElement)
