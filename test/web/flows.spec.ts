import type { FrameLocator, Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { formatText, type Text, type Values } from '../../schemas/messages/format.ts'
import ar from '../../web/shared/texts/ar.ts'
import en from '../../web/shared/texts/en.ts'
import type { TextKey } from '../../web/shared/texts/keys.ts'
import {
  createTestAccount,
  findViolations,
  inBrowser,
  mintSpace,
  newPage,
  signInWithoutPage,
  waitUntil,
  waitUntilDrawn,
  withBrowser,
} from './browser.ts'
import { enterAsGuest } from './guest.ts'
import { createHands, type Hands } from './hands.ts'
import { completeSubmission, elementPage, getFrame, newShopAccount, SUBMIT_ACTION, withShop } from './shop.ts'

interface Setting {
  by: 'mouse' | 'keyboard'
  width: 1280 | 768 | 390
  scheme: 'light' | 'dark'
  language: 'en' | 'ar'
}

interface Visit extends Setting {
  page: Page
  hands: Hands
  root: Page | FrameLocator
  t(key: TextKey, values?: Values): string
  button(key: TextKey, within?: Page | FrameLocator | Locator): Locator
  check(): Promise<void>
}

const describeSettings = (settings: Setting[]): [string, Setting][] =>
  settings.map((one) => [`by ${one.by}, ${one.width} wide, ${one.scheme}, ${one.language}`, one])

const MOSTLY_MOUSE = describeSettings([
  { by: 'mouse', width: 1280, scheme: 'light', language: 'en' },
  { by: 'keyboard', width: 768, scheme: 'dark', language: 'ar' },
  { by: 'mouse', width: 390, scheme: 'dark', language: 'ar' },
])
const MOSTLY_KEYBOARD = describeSettings([
  { by: 'keyboard', width: 1280, scheme: 'dark', language: 'ar' },
  { by: 'mouse', width: 768, scheme: 'light', language: 'en' },
  { by: 'keyboard', width: 390, scheme: 'light', language: 'en' },
])
const PHONE_WIDTH = 720

const LOCALES = { en: 'en-GB', ar: 'ar-EG' }
const TEXTS: Record<string, Record<TextKey, Text>> = { en, ar }
const CSV = 'Name,E-mail,Alter\nAda,ada@example.com,36\nGrace,grace@example.com,Paris\n'

const toPageOptions = ({ width, scheme, language }: Setting) => ({
  width,
  dark: scheme === 'dark',
  language: LOCALES[language],
})

function startVisit(page: Page, setting: Setting, root: Page | FrameLocator = page): Visit {
  const t = (key: TextKey, values: Values = {}) => formatText(TEXTS[setting.language]![key], values, setting.language)
  return {
    ...setting,
    page,
    root,
    t,
    hands: createHands(page, setting.by),
    button: (key, within = root) => within.getByRole('button', { name: t(key), exact: true }),
    async check() {
      await waitUntilDrawn(page)
      expect(await findViolations(page)).toEqual([])
      const { scrollWidth, clientWidth } = await root.locator('html').evaluate(({ scrollWidth, clientWidth }) => ({
        scrollWidth,
        clientWidth,
      }))
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    },
  }
}

async function followLink({ width, root, hands, t, button }: Visit, name: string): Promise<void> {
  if (width < PHONE_WIDTH) await hands.press(button('menu'))
  const navigation = root.getByRole('navigation', { name: t('navigation') })
  await hands.press(navigation.getByRole('link', { name: new RegExp(`^${name}`) }))
}

async function importFile(visit: Visit): Promise<void> {
  const { root, hands, t, button, check } = visit
  await hands.chooseFile(root.getByLabel(t('chooseFiles')), 'people.csv', CSV)
  await hands.press(button('matchColumns'))
  await root.getByRole('heading', { name: t('mapTitle', { sheet: 'People' }) }).waitFor()
  await hands.choose(root.getByLabel(t('fieldFor', { column: 'Alter' })), 'Age')
  await check()
  await hands.press(button('confirmMapping'))
  await root.getByRole('heading', { name: 'People', level: 1, exact: true }).waitFor({ timeout: 30_000 })
}

async function fixAge(visit: Visit): Promise<void> {
  const { page, root, hands, width, t, button, check } = visit
  await check()
  if (width < PHONE_WIDTH) {
    await hands.write(root.getByLabel('Age', { exact: true }), '85')
    await hands.press(root.getByRole('button', { name: `${t('save')}: Age` }))
    return
  }
  await hands.press(button('reviewErrors'))
  const dialog = root.getByRole('dialog', { name: t('reviewErrors') })
  await dialog.getByRole('listitem', { name: 'Age' }).waitFor()
  await check()
  await hands.press(dialog.getByRole('button', { name: `${t('showRecords')}: Age` }))
  await dialog.waitFor({ state: 'detached' })
  await root.locator('[role=gridcell]').filter({ hasText: 'Paris' }).waitFor({ state: 'attached' })
  await root.locator('[role=gridcell][aria-selected=true]').first().waitFor({ state: 'attached' })
  await hands.selectCell(root.getByTestId('data-grid-canvas'), 'age', 0)
  await page.keyboard.type('85\n')
  await hands.leaveGrid()
}

async function submit(visit: Visit, complete: () => Promise<unknown>): Promise<void> {
  const { root, hands, t, button, check } = visit
  const steps = root.getByRole('navigation', { name: t('steps') })
  await hands.press(steps.getByRole('button', { name: 'Submit' }))
  await complete()
  const dialog = root.getByRole('dialog')
  await dialog.getByText('Thank you.').waitFor()
  await check()
  await hands.press(button('close', dialog).last())
}

inBrowser('each flow, by mouse and by keyboard, on three widths, light and dark, in two languages', () => {
  withBrowser()
  const shop = withShop()

  it.each(MOSTLY_MOUSE)('a guest uploads, matches, reviews and submits: %s', async (_name, setting) => {
    const account = await createTestAccount()
    const made = await mintSpace(account, 'Spring import', { guestAuthentication: 'shared_link' }, [SUBMIT_ACTION])
    const { call, space } = made
    const visit = startVisit(await newPage(toPageOptions(setting)), setting)
    const { page, hands, t, button, check } = visit
    await call('POST', '/guests', [
      { environmentId: account.environmentId, email: 'grace@example.com', name: 'Grace', spaces: [{ id: space.id }] },
    ])
    await page.goto((await call('GET', `/spaces/${space.id}`)).body.data.guestLink)
    await hands.write(page.getByLabel(t('email')), 'grace@example.com')
    await check()
    await hands.press(button('continue'))
    await page.getByRole('heading', { name: t('whatWeNeed') }).waitFor()
    await check()
    await importFile(visit)
    await fixAge(visit)
    await submit(visit, () => completeSubmission(call, space.id))
    await followLink(visit, t('overview'))
    await page
      .getByRole('region', { name: t('submitted') })
      .getByText('Thank you.')
      .waitFor()
    await check()
    expect((await call('GET', `/sheets/${made.sheet.id}/counts`)).body.data.counts).toMatchObject({
      valid: 2,
      error: 0,
    })
  })

  it.each(MOSTLY_KEYBOARD)('a customer imports within a page of another site: %s', async (_name, setting) => {
    const { account, call, listSpaces } = await newShopAccount()
    const attributes = `mode="wizard" language="${setting.language}"`
    const page = await shop.open(elementPage(account.publishableKey, attributes), toPageOptions(setting))
    const visit = startVisit(page, setting, getFrame(page))
    await visit.hands.press(page.getByRole('button', { name: 'Import' }))
    await importFile(visit)
    await fixAge(visit)
    const [space] = await listSpaces()
    await submit(visit, () => completeSubmission(call, space!.id))
    await page.waitForFunction('results.length > 0')
    const counts = { total: 2, valid: 2, error: 0 }
    expect(await page.evaluate('results')).toMatchObject([{ status: 'submitted', spaceId: space!.id, counts }])
  })

  it.each(MOSTLY_MOUSE)('an administrator signs in, makes a space and invites a guest: %s', async (_name, setting) => {
    const account = await createTestAccount()
    const visit = startVisit(await newPage(toPageOptions(setting)), setting)
    const { page, hands, t, button, check } = visit
    await page.goto('/sign-in')
    await hands.write(page.getByLabel(t('email')), account.email)
    await hands.write(page.getByLabel(t('password')), account.password)
    await hands.press(button('signIn'))
    await page.getByRole('heading', { name: t('home'), level: 1 }).waitFor()
    await check()
    await followLink(visit, t('spaces'))
    await hands.press(button('newSpace'))
    const dialog = page.getByRole('dialog')
    await hands.write(dialog.getByLabel(t('name')), 'Autumn import')
    await check()
    await hands.press(button('create', dialog))
    await page.getByRole('heading', { name: 'Autumn import', level: 1 }).waitFor()
    await check()
    const tabs = page.getByRole('navigation', { name: 'Autumn import' })
    await hands.press(tabs.getByRole('link', { name: t('guests') }))
    await hands.press(button('invite'))
    await hands.write(dialog.getByLabel(t('email')), 'grace@example.com')
    await hands.write(dialog.getByLabel(t('name')), 'Grace')
    await hands.press(button('sendInvite', dialog))
    await page.getByText('grace@example.com', { exact: true }).first().waitFor()
    await check()
  })

  it.each(MOSTLY_KEYBOARD)('an administrator builds a workbook from a template: %s', async (_name, setting) => {
    const account = await createTestAccount()
    const visit = startVisit(await newPage(toPageOptions(setting)), setting)
    const { page, hands, t, button, check } = visit
    await signInWithoutPage(page, account)
    await page.goto(`/console/${account.environmentId}/start`)
    await hands.press(page.getByRole('main').getByRole('link', { name: t('newWorkbook') }))
    await hands.press(page.getByRole('button', { name: new RegExp(`^${t('templateProducts')}`) }))
    await page.getByRole('heading', { name: t('fieldsTitle'), level: 1 }).waitFor()
    await check()
    await hands.press(button('addField'))
    await waitUntil(() => page.evaluate(() => document.activeElement?.className === 'field-name'))
    await page.keyboard.type('Color')
    await hands.press(button('continue'))
    await hands.write(page.getByLabel(t('spaceName')), 'Our products')
    await check()
    await hands.press(button('createSpace'))
    await page.getByRole('heading', { name: t('spaceIsReady', { name: 'Our products' }) }).waitFor()
    await hands.write(page.getByLabel(t('inviteGuests')), 'grace@example.com')
    await hands.press(button('invite'))
    await page.getByText(t('guestsInvited')).waitFor()
    await check()
    await hands.press(page.getByRole('link', { name: t('openTheSpace') }))
    await page.getByRole('heading', { name: t('whatWeNeed') }).waitFor()
    await check()
  })

  it.each(MOSTLY_MOUSE)('a guest edits cells, undoes and redoes: %s', async (_name, setting) => {
    const account = await createTestAccount()
    const made = await mintSpace(account, 'Spring import', { guestAuthentication: 'shared_link' })
    const path = `/sheets/${made.sheet.id}/records`
    await made.call('POST', path, [{ name: 'Ada', email: 'ada@example.com', age: 'old' }, { name: 'Grace' }])
    const visit = startVisit(await enterAsGuest({ account, ...made }, 'Grace', toPageOptions(setting)), setting)
    const { page, root, hands, t, check } = visit
    await followLink(visit, 'People')
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    if (setting.width < PHONE_WIDTH) {
      await hands.write(page.getByLabel('Age', { exact: true }), '36')
      await hands.press(page.getByRole('button', { name: `${t('save')}: Age` }))
    } else {
      await page.locator('[role=gridcell]').filter({ hasText: 'old' }).waitFor({ state: 'attached' })
      await hands.selectCell(root.getByTestId('data-grid-canvas'), 'age', 0)
      await page.keyboard.type('36\n')
      await hands.leaveGrid()
    }
    const readAge = async () => (await made.call('GET', path)).body.data.records[0].values.age.value
    await expect.poll(readAge, { timeout: 15_000 }).toBe(36)
    await hands.press(page.getByRole('button', { name: new RegExp(`^${t('undo')}`) }).first())
    await expect.poll(readAge, { timeout: 15_000 }).toBe('old')
    await hands.press(page.getByRole('button', { name: new RegExp(`^${t('redo')}`) }).first())
    await expect.poll(readAge, { timeout: 15_000 }).toBe(36)
    await check()
  })
})
