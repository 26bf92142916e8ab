/** A customer's page that embeds the importer, and an environment whose spaces have a sheet and a submit action. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { getAccessToken } from '../support/api.ts'
import { createCaller, createTestAccount, FIELDS, getOrigin, newPage, type PageOptions, waitUntil } from './browser.ts'

export const SUBMIT = 'submitOrders'
export const SUBMIT_ACTION = { operation: SUBMIT, label: 'Submit', mode: 'foreground', primary: true }

interface Reply {
  body: string | Uint8Array
  headers?: Record<string, string>
}

export function withShop() {
  const replies = new Map<string, Reply>()
  const server = createServer(({ url }, response) => {
    const { body, headers = {} } = replies.get(url!) ?? { body: '<!doctype html><title>Blank</title>' }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  })
  beforeAll(() => void server.listen(0, '127.0.0.1'))
  afterAll(() => void server.close())
  const getUrl = () => `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    getUrl,
    serve: (path: string, body: string | Uint8Array, headers?: Record<string, string>) =>
      replies.set(path, { body, ...(headers && { headers }) }),
    async open(html: string, { headers, ...options }: PageOptions & { headers?: Record<string, string> } = {}) {
      replies.set('/', {
        body: `<!doctype html><html lang="en"><title>A shop</title>${html}`,
        ...(headers && { headers }),
      })
      const page = await newPage(options)
      await page.goto(getUrl())
      return page
    },
  }
}

/** A page with the element `importer`. Its events are in `seen`, the results of opening it in `results`. */
export const elementPage = (publishableKey: string, attributes = ''): string => `
<meta name="viewport" content="width=device-width, initial-scale=1">
<button onclick="openIt()">Import</button>
<wharf-importer publishable-key="${publishableKey}" space-name="Orders" ${attributes}></wharf-importer>
<script type="module" src="${getOrigin()}/wharf-importer.js"></script>
<script>
  const importer = document.querySelector('wharf-importer')
  window.seen = []
  window.results = []
  for (const name of ['submitted', 'closed', 'error'])
    importer.addEventListener(name, ({ detail }) => seen.push([name, JSON.parse(JSON.stringify(detail))]))
  const openIt = () => customElements.whenDefined('wharf-importer')
    .then(() => importer.open()).then((result) => results.push(JSON.parse(JSON.stringify(result))))
</script>`

export async function newShopAccount() {
  const account = await createTestAccount()
  const call = createCaller(account.secretKey)
  const credentials = { email: account.email, password: account.password }
  const accessToken = await getAccessToken(credentials)
  const administrator = createCaller(accessToken)
  const sheets = [{ name: 'People', slug: 'people', fields: FIELDS }]
  await administrator('POST', `/environments/${account.environmentId}/autobuilds`, {
    workbooks: [{ name: 'Orders', sheets, actions: [SUBMIT_ACTION] }],
  })
  return {
    account,
    call,
    allowOrigins: (allowedOrigins: string[]) =>
      administrator('PATCH', `/environments/${account.environmentId}`, { allowedOrigins }),
    listSpaces: async (): Promise<{ id: string; metadata: object }[]> => (await call('GET', '/spaces')).body.data,
  }
}

type Call = ReturnType<typeof createCaller>

export async function addRecords(call: Call, records: object[]): Promise<string> {
  return waitUntil(async () => {
    const [space] = (await call('GET', '/spaces')).body.data
    const [workbook] = space ? (await call('GET', `/workbooks?spaceId=${space.id}`)).body.data : []
    const sheetId = workbook?.sheets?.[0]?.id
    if (!sheetId) return undefined
    await call('POST', `/sheets/${sheetId}/records`, records)
    return space.id as string
  })
}

export const waitForSubmission = (call: Call, spaceId: string): Promise<{ id: string }> =>
  waitUntil(async () => {
    const [job] = (await call('GET', `/jobs?spaceId=${spaceId}&operation=${SUBMIT}`)).body.data
    return job?.status === 'ready' && job
  })

export async function completeSubmission(call: Call, spaceId: string): Promise<string> {
  const { id } = await waitForSubmission(call, spaceId)
  await call('POST', `/jobs/${id}/ack`, {})
  await call('POST', `/jobs/${id}/complete`, { outcome: { message: 'Thank you.' } })
  return id
}

export const getFrame = (page: Page) => page.frameLocator('.wharf-importer iframe')
