import { expect, it } from 'vitest'
import { findViolations, inBrowser, waitUntil, waitUntilDrawn, withBrowser } from './browser.ts'
import {
  addRecords,
  completeSubmission,
  elementPage,
  getFrame,
  newShopAccount,
  waitForSubmission,
  withShop,
} from './shop.ts'

inBrowser('closing the embedded importer', () => {
  withBrowser()
  const shop = withShop()

  async function openImporter(attributes = '') {
    const made = await newShopAccount()
    const page = await shop.open(elementPage(made.account.publishableKey, attributes))
    const open = async () => {
      await page.getByRole('button', { name: 'Import' }).click()
      await getFrame(page).getByRole('heading', { level: 1 }).waitFor()
    }
    await open()
    return { ...made, page, open, frame: getFrame(page), dialog: page.locator('.wharf-importer dialog') }
  }

  it('asks if data was not submitted, by mouse and by keyboard, and continues with it later', async () => {
    const { page, call, frame, dialog, open, listSpaces } = await openImporter()
    await addRecords(call, [{ name: 'Ada' }])
    await frame.getByRole('link', { name: 'People' }).first().getByText('1').waitFor()
    const close = dialog.locator('header button')
    await close.click()
    const question = frame.getByRole('dialog', { name: 'Close the importer?' })
    await question.getByText('stay available while this page is open').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await page.evaluate('seen')).toEqual([])
    await frame.locator('main').focus()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    const { id } = (await listSpaces())[0]!
    await page.waitForFunction('results.length > 0')
    expect(await page.evaluate('results')).toEqual([{ status: 'closed', spaceId: id }])
    await open()
    await frame.getByRole('link', { name: 'People' }).first().getByText('1').waitFor()
    expect(await listSpaces()).toHaveLength(1)
  })

  it('closes without a question if nothing would be lost, also by Escape outside the frame', async () => {
    const { page, dialog, open } = await openImporter()
    await dialog.locator('header button').click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.documentElement.style.overflow')).toBe('')
    await open()
    expect(await page.evaluate('document.documentElement.style.overflow')).toBe('hidden')
    await dialog.locator('header button').focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('stops an upload only after a question', async () => {
    const { page, frame, dialog } = await openImporter()
    await page.route(/\/(?!api\/).*X-Amz-/, () => {})
    await frame
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    await frame.getByRole('progressbar', { name: 'a.csv' }).waitFor()
    await dialog.locator('header button').click()
    await frame.getByRole('dialog').getByText('the upload stops').waitFor()
    await frame.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await dialog.isVisible()).toBe(true)
  })

  it('reports a submission that is completed after the importer was closed and removed', async () => {
    const { page, call, frame } = await openImporter()
    const spaceId = await addRecords(call, [{ name: 'Ada' }])
    await frame.getByRole('button', { name: 'Submit' }).click()
    await waitForSubmission(call, spaceId)
    await page.evaluate('importer.remove()')
    await page.waitForFunction('seen.length > 0')
    expect(await page.evaluate('seen')).toEqual([['closed', { spaceId }]])
    expect(await page.locator('.wharf-importer dialog').isVisible()).toBe(false)
    const jobId = await completeSubmission(call, spaceId)
    await page.waitForFunction('results.length > 0')
    expect(await page.evaluate('results')).toMatchObject([
      { status: 'submitted', spaceId, jobId, counts: { total: 1 } },
    ])
    expect(await page.evaluate('seen[1][0]')).toBe('submitted')
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it('reports a submission in the moment in which the guest closes the importer', async () => {
    const { page, call, frame, dialog } = await openImporter()
    const spaceId = await addRecords(call, [{ name: 'Ada' }])
    await page.evaluate(
      `addEventListener('message', ({ data }) => data.type === 'wharf:running' && importer.close(), { once: true })`,
    )
    await frame.getByRole('button', { name: 'Submit' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const jobId = await completeSubmission(call, spaceId)
    await page.waitForFunction('results.length > 0')
    expect(await page.evaluate('results')).toMatchObject([{ status: 'submitted', jobId }])
  })

  it('reports a submission whose start is reported only after the importer was closed', async () => {
    const { page, call, frame, dialog } = await openImporter()
    const spaceId = await addRecords(call, [{ name: 'Ada' }])
    await page.evaluate(
      `addEventListener('message', (event) => {
        if (event.data.type !== 'wharf:running' || window.held) return
        window.held = event
        event.stopImmediatePropagation()
        importer.close()
        setTimeout(() => dispatchEvent(new MessageEvent('message', event)), 400)
      }, true)`,
    )
    await frame.getByRole('button', { name: 'Submit' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const jobId = await completeSubmission(call, spaceId)
    await page.waitForFunction('results.length > 0')
    expect(await page.evaluate('results')).toMatchObject([{ status: 'submitted', jobId }])
  })

  it('stays open after a submission if the page says so', async () => {
    const { page, call, frame, dialog } = await openImporter('stay-open')
    const spaceId = await addRecords(call, [{ name: 'Ada' }])
    await frame.getByRole('button', { name: 'Submit' }).click()
    await completeSubmission(call, spaceId)
    await frame.getByRole('dialog').getByText('Thank you.').waitFor()
    await page.keyboard.press('Escape')
    await frame.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await dialog.isVisible()).toBe(true)
    await dialog.locator('header button').click()
    await page.waitForFunction('results.length > 0')
    expect(await page.evaluate('results')).toMatchObject([{ status: 'submitted' }])
  })

  it('is separate for each importer of a page, also when one is moved', async () => {
    const { account } = await newShopAccount()
    const second = `<div id="other"></div><wharf-importer id="second" publishable-key="${account.publishableKey}" space-name="Customers"></wharf-importer>`
    const page = await shop.open(elementPage(account.publishableKey) + second)
    await page.getByRole('button', { name: 'Import' }).click()
    const orders = page.locator('.wharf-importer', { has: page.getByText('Orders', { exact: true }) })
    await orders.frameLocator('iframe').getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    await page.evaluate(`document.querySelector('#second').toggleAttribute('open')`)
    const customers = page.locator('.wharf-importer', { has: page.getByText('Customers', { exact: true }) })
    await customers.frameLocator('iframe').getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    await page.evaluate(`document.querySelector('#other').append(importer, document.querySelector('#second'))`)
    expect(await page.locator('.wharf-importer').count()).toBe(2)
    await customers.locator('header button').click()
    await waitUntil(async () => (await page.locator('.wharf-importer').count()) === 1)
    expect(await orders.frameLocator('iframe').getByRole('heading', { name: 'Orders', level: 1 }).isVisible()).toBe(
      true,
    )
  })

  it('ignores messages of other windows', async () => {
    const { page, frame, dialog } = await openImporter()
    shop.serve(
      '/foreign',
      `<!doctype html><script>
        const message = { type: 'wharf:submitted', jobId: 'x', operation: 'x', counts: {}, sheets: [] }
        parent.postMessage(message, '*')
        parent.postMessage({ type: 'wharf:close' }, '*')
        for (let i = 0; i < parent.frames.length; i++)
          parent.frames[i].postMessage({ type: 'wharf:begin', spaceId: 'other', token: 'other' }, '*')
      </script>`,
    )
    await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '/foreign' }))`)
    await waitUntilDrawn(page)
    expect(await page.evaluate('seen')).toEqual([])
    expect(await dialog.isVisible()).toBe(true)
    expect(await frame.getByRole('heading', { name: 'Orders', level: 1 }).isVisible()).toBe(true)
  })
})
