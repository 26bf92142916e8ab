/** A page of another origin in the browser of a local Wharf user, and its access to Wharf. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getServer } from '../support/api.ts'
import { getCredentials } from '../support/signed-request.ts'
import { createCaller, getOrigin, inBrowser, newPage, withBrowser } from './browser.ts'

const PASSWORD = 'Sup3rSecret-passw0rd'
const CREATE = '/2015-03-31/functions/wharf-dev-create-account/invocations'

const read = (page: Page, path: string, init: object = {}): Promise<string> =>
  page.evaluate(
    async ([url, options]) => {
      try {
        const response = await fetch(url as string, options as RequestInit)
        return `${response.type} ${response.status} ${await response.text()}`
      } catch (error) {
        return String(error)
      }
    },
    [path.startsWith('http') ? path : getServer().cloud + path, init],
  )

inBrowser('a page of another origin', () => {
  withBrowser()
  const evil = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Win a prize</title>'),
  )
  const portOf = (url: string) => new URL(url).port
  let page: Page
  let count = 0
  const newEmail = () => `evil-${Date.now()}-${count++}@evil.example`
  const account = (email: string) => JSON.stringify({ account: 'Evil', name: 'M', email, password: PASSWORD })
  const signIn = (email: string) => createCaller(undefined)('POST', '/auth', { email, password: PASSWORD })
  const config = () => ({
    endpoint: getServer().cloud,
    region: 'us-east-1',
    credentials: getCredentials(getServer().environment),
  })

  beforeAll(() => void evil.listen(0, '127.0.0.1'))
  afterAll(() => void evil.close())
  beforeEach(async () => {
    page = await newPage()
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`)
  })

  it('reaches the ports: the public API responds, and the bucket accepts presigned requests', async () => {
    expect(await read(page, `${getOrigin()}/health`)).toMatch(/^cors 200 /)
    const s3 = new S3Client({ ...config(), forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' })
    const object = { Bucket: 'wharf-dev-bucket', Key: `from-a-page-${count++}` }
    const url = await getSignedUrl(s3, new PutObjectCommand(object))
    expect(await read(page, url, { method: 'PUT', body: 'uploaded', headers: { 'x-page': 'preflighted' } })).toBe(
      'cors 200 ',
    )
    const { Body } = await s3.send(new GetObjectCommand(object))
    expect(await Body!.transformToString()).toBe('uploaded')
    s3.destroy()
  })

  it('cannot create an account by calling the function that does', async () => {
    const emails = [newEmail(), newEmail(), newEmail()]
    const plain = { method: 'POST', headers: { 'content-type': 'text/plain' } }
    await read(page, CREATE, { ...plain, mode: 'no-cors', body: account(emails[0]!) })
    await read(page, CREATE, { ...plain, body: account(emails[1]!) })
    await page.evaluate(
      ([url, text]) => navigator.sendBeacon(url!, text),
      [getServer().cloud + CREATE, account(emails[2]!)],
    )
    const form = newEmail()
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${getServer().cloud}${CREATE}"><input name='{"x":"' value='",${account(form).slice(1)}'></form>`,
    )
    await Promise.all([page.waitForNavigation(), page.evaluate(() => document.forms[0]!.submit())])
    expect(await page.content()).not.toContain('secretKey')
    for (const email of [...emails, form]) expect((await signIn(email)).status).toBe(401)
  })

  it('cannot write to the table or read from it', async () => {
    const asking = (operation: string, input: object) => ({
      method: 'POST',
      headers: { 'x-amz-target': `DynamoDB_20120810.${operation}`, 'content-type': 'application/x-amz-json-1.0' },
      body: JSON.stringify(input),
    })
    const Item = { pk: { S: 'evil#page' }, sk: { S: '-' } }
    const TableName = 'wharf-dev-table'
    const paths = ['/', '/wharf-dev-bucket', '/wharf-dev-bucket/x?X-Amz-Signature=x']
    for (const path of paths)
      for (const [operation, input] of [
        ['ListTables', {}],
        ['Scan', { TableName }],
        ['PutItem', { TableName, Item }],
      ] as const) {
        expect(await read(page, path, asking(operation, input))).not.toContain(' 200 ')
        await read(page, path, { ...asking(operation, input), mode: 'no-cors' })
      }
    const client = new DynamoDBClient(config())
    const found = await client.send(new GetItemCommand({ TableName, Key: Item, ConsistentRead: true }))
    client.destroy()
    expect(found.Item).toBeUndefined()
  })

  it('cannot read mails or objects, or change injected faults', async () => {
    for (const path of ['/_aws/ses', '/_aws/faults', '/wharf-dev-bucket?list-type=2', '/2015-03-31/functions'])
      expect(await read(page, path)).not.toContain(' 200 ')
    expect(await read(page, '/_aws/faults', { method: 'PUT', body: 'dynamodb:error=1' })).not.toContain(' 200 ')
    expect((await createCaller(undefined)('GET', '/health/ready')).status).toBe(200)
  })

  it('cannot use the connection of a listener', async () => {
    const path = `${getOrigin()}/dev/@connections/none`
    expect(await read(page, path)).toBe('TypeError: Failed to fetch')
    expect(await read(page, path, { method: 'POST', mode: 'no-cors', body: 'x' })).toMatch(/^opaque /)
  })

  it('gets no response under another name that resolves here', async () => {
    for (const port of [portOf(getServer().cloud), portOf(getOrigin())]) {
      const answer = await page.goto(`http://rebind.evil.example:${port}/2015-03-31/functions`)
      expect(answer!.status()).toBe(421)
      const here = `http://rebind.evil.example:${port}`
      const email = newEmail()
      expect(await read(page, here + CREATE, { method: 'POST', body: account(email) })).toMatch(/^basic 421 /)
      expect(await read(page, `${here}/_aws/ses`)).toMatch(/^basic 421 /)
      expect(await read(page, `${here}/api/v1/openapi.json`)).toMatch(/^basic 421 /)
      expect((await signIn(email)).status).toBe(401)
    }
  })
})
