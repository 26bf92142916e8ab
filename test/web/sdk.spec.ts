import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { createTestAccount, getOrigin, inBrowser, withBrowser } from './browser.ts'
import { withShop } from './shop.ts'

/** More than a megabyte of JSON, which the client compresses. */
const RECORDS = 20_000
const MEGABYTES = 3

/** Runs in the page of another origin. */
const PROGRAM = `
  import { NotFound, Wharf } from '@wharf/sdk'
  window.run = async (token, baseUrl) => {
    const wharf = new Wharf({ token, baseUrl })
    const { id: spaceId } = await wharf.spaces.create({ name: 'In a page' })
    const sheets = [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }]
    const workbook = await wharf.workbooks.create({ spaceId, name: 'Contacts', sheets })
    const sheetId = workbook.sheets[0].id
    const records = Array.from({ length: ${RECORDS} }, (_, n) => ({ values: { email: n + '@' + 'x'.repeat(80) } }))
    const written = await wharf.records.write(sheetId, records)
    let read = 0
    for await (const { values } of wharf.records.stream(sheetId)) if (values.email === records[read].values.email) read++
    const sent = []
    const large = new File(['x'.repeat(${MEGABYTES} * 1024 * 1024)], 'large.bin')
    const { size } = await wharf.files.upload(large, { spaceId, onProgress: ({ sentBytes }) => sent.push(sentBytes) })
    const { counts } = await wharf.importFile(new File(['E-Mail\\nada@example.com\\n'], 'people.csv'), { sheetId })
    const error = await wharf.spaces.get('us_sp_unknown').catch((reason) => reason)
    return { written, read, size, steps: sent.length, sent: sent.at(-1), imported: counts.created, isMissing: error instanceof NotFound }
  }
`

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: process.cwd() },
    alias: { '@wharf/sdk': './packages/sdk/src/index.ts' },
    ...{ bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'silent' },
  })
  return outputFiles[0]!.text
}

inBrowser('@wharf/sdk', () => {
  withBrowser()
  const shop = withShop()

  it('writes and reads records, uploads with progress and imports a file from the page of another origin', async () => {
    const { secretKey } = await createTestAccount()
    shop.serve('/app.js', await bundle(), { 'content-type': 'text/javascript' })
    const page = await shop.open('<script type="module" src="/app.js"></script>')
    await page.waitForFunction('window.run')
    const result = await page.evaluate(`run(${JSON.stringify(secretKey)}, ${JSON.stringify(getOrigin())})`)
    expect(result).toEqual({
      written: { created: RECORDS, updated: 0, deleted: 0 },
      read: RECORDS,
      size: MEGABYTES * 1024 * 1024,
      steps: expect.any(Number),
      sent: MEGABYTES * 1024 * 1024,
      imported: 1,
      isMissing: true,
    })
    expect((result as { steps: number }).steps).toBeGreaterThan(1)
  })
})
