import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exchangeAuthorization, registerClient, startAuthorization } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pluck } from '../support/api.ts'
import { connectMcp, getMcpUrl } from '../support/mcp.ts'
import { discoverServer } from '../support/oauth.ts'
import { createTestAccount, findViolations, inBrowser, newPage, withBrowser } from './browser.ts'

inBrowser('connecting an AI agent', () => {
  withBrowser()
  let redirect: string
  const client = createServer((_, response) => response.end('Connected. You can close this page.'))
  beforeAll(async () => {
    await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve))
    redirect = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`
  })
  afterAll(() => void client.close())

  async function start() {
    const { issuer, metadata } = await discoverServer()
    const clientMetadata = { client_name: 'Chat Assistant', redirect_uris: [redirect] }
    const clientInformation = await registerClient(issuer, { metadata, clientMetadata })
    const started = await startAuthorization(issuer, {
      metadata,
      clientInformation,
      redirectUrl: redirect,
      resource: getMcpUrl(),
      state: 'abc',
    })
    return { issuer, metadata, clientInformation, ...started }
  }

  it('asks the user to sign in, then for an environment and the access, and returns with a code', async () => {
    const account = await createTestAccount()
    const { issuer, metadata, clientInformation, authorizationUrl, codeVerifier } = await start()
    const page = await newPage()
    await page.goto(authorizationUrl.href)
    await page.getByLabel('Email address').fill(account.email)
    await page.getByLabel('Password').fill(account.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Chat Assistant wants to connect' }).waitFor()
    await page.getByText(new URL(redirect).host).waitFor()
    expect(await findViolations(page)).toEqual([])
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT })
    if (process.env.SHOT) {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.screenshot({ path: `${process.env.SHOT}.phone.png` })
    }
    expect(await page.getByLabel('Access').inputValue()).toBe('propose')
    await page.getByLabel('Access').selectOption('Read')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${redirect}**`)
    const returned = new URL(page.url()).searchParams
    expect(returned.get('state')).toBe('abc')
    const tokens = await exchangeAuthorization(issuer, {
      metadata,
      clientInformation,
      authorizationCode: returned.get('code')!,
      codeVerifier,
      redirectUri: redirect,
      iss: returned.get('iss')!,
    })
    expect(tokens.scope).toBe('read')
    const { tools } = await (await connectMcp(tokens.access_token)).listTools()
    expect(pluck(tools, 'name')).not.toContain('apply_change')
  })

  it('returns without a code when the user cancels, and shows why a request is refused', async () => {
    const account = await createTestAccount()
    const { authorizationUrl } = await start()
    const page = await newPage()
    const wrong = new URL(authorizationUrl)
    wrong.searchParams.set('redirect_uri', 'https://evil.example/')
    await page.goto(wrong.href)
    await page.getByLabel('Email address').fill(account.email)
    await page.getByLabel('Password').fill(account.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('did not register the address').waitFor()
    await page.goto(authorizationUrl.href)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(`${redirect}**`)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })
})
