import { registerClient, startAuthorization } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, it } from 'vitest'
import { getAccessToken } from '../../support/api.ts'
import { getMcpUrl } from '../../support/mcp.ts'
import { callTool, type ModelServer, say, startModelServer } from '../../support/model-server.ts'
import { discoverServer } from '../../support/oauth.ts'
import {
  createCaller,
  createTestAccount,
  inBrowser,
  mintSpace,
  newPage,
  signInWithoutPage,
  withBrowser,
} from '../browser.ts'
import { useCamera } from './camera.ts'

const REPLY = `Two values of Status are not options: they are written with a capital letter.

I propose to correct both.`

inBrowser('the images of AI assistants', () => {
  withBrowser()
  const { take, expectAllTaken } = useCamera('assistants')
  let model: ModelServer
  beforeAll(async () => {
    model = await startModelServer()
  })
  afterAll(() => model.close())

  it('show a conversation, and an agent that connects', async () => {
    const account = await createTestAccount()
    const { call, space, sheet } = await mintSpace(account)
    const settings = { environmentId: account.environmentId, provider: 'openai', url: model.url, model: 'scripted' }
    await createCaller(await getAccessToken(account))('PUT', '/assistant', settings)
    await call('POST', `/sheets/${sheet.id}/records`, [
      { name: 'Ada Lovelace', status: 'Active' },
      { name: 'Grace Hopper', status: 'gone' },
      { name: 'Alan Turing', status: 'Active' },
    ])
    model.script(callTool('list_errors', { sheetId: sheet.id }), callTool('propose_fix', { fix: 'fix-1' }), say(REPLY))
    const page = await newPage()
    await signInWithoutPage(page, account)
    await page.goto(`/s/${space.id}/assistant`)
    await page.getByLabel('Question').fill('Which values are wrong, and can you fix them?')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('article', { name: 'Correct values' }).waitFor()
    await take(page, 'assistant')
    const { issuer, metadata } = await discoverServer()
    const redirectUrl = 'http://127.0.0.1/callback'
    const clientMetadata = { client_name: 'Chat Assistant', redirect_uris: [redirectUrl] }
    const clientInformation = await registerClient(issuer, { metadata, clientMetadata })
    const { authorizationUrl } = await startAuthorization(issuer, {
      ...{ metadata, clientInformation, redirectUrl, resource: getMcpUrl(), state: 'abc' },
    })
    await page.goto(authorizationUrl.href)
    await page.getByRole('heading', { name: 'Chat Assistant wants to connect' }).waitFor()
    await take(page, 'connect')
    expectAllTaken()
  })
})
