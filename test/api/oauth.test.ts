import { createServer } from 'node:http'
import { refreshAuthorization } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getServer, pluck } from '../support/api.ts'
import {
  account,
  admin,
  anybody,
  createFreshSpace,
  must,
  mustAsAdmin,
  signIn,
  spaceId,
} from '../support/fresh-account.ts'
import { connectMcp, createToolCaller, getMcpUrl } from '../support/mcp.ts'
import { approveClient, CLIENT, connectClient, discoverServer, exchangeCode, REDIRECT } from '../support/oauth.ts'
import { acceptInvitation, createSheet, newEmail, PASSWORD, readColumn } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Connected' }))

const refresh = async (refreshToken: string) => {
  const { issuer, metadata } = await discoverServer()
  return refreshAuthorization(issuer, { metadata, clientInformation: { client_id: 'any' }, refreshToken })
}

describe('a client without a token', () => {
  it('is sent to the metadata, the server and the consent page', async () => {
    const response = await fetch(getMcpUrl(), { method: 'POST', body: '{}' })
    const { resource, metadata } = await discoverServer()
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain(
      `resource_metadata="${new URL(getMcpUrl()).origin}/.well-known/oauth-protected-resource/api/v1/mcp"`,
    )
    expect(resource.resource).toBe(getMcpUrl().href)
    expect(metadata).toMatchObject({
      authorization_endpoint: `${new URL(getServer().baseUrl).origin}/connect`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
    })
  })

  it('registers with addresses of the web, of this computer and of applications only', async () => {
    const register = (uri: string) => anybody('POST', '/oauth/register', { redirect_uris: [uri] })
    for (const uri of ['https://client.example/cb', 'http://localhost/cb', 'http://[::1]:3/cb', 'cursor://oauth/cb'])
      expect((await register(uri)).status, uri).toBe(200)
    for (const uri of [
      'http://client.example/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://a@b.example/',
      'https://b.example/#x',
      'x',
    ])
      expect((await register(uri)).body.errors, uri).toMatchObject([{ key: 'redirect_uris.0' }])
  })
})

describe('a connected agent', () => {
  it('signs in by the official client and works with the permissions it was given', async () => {
    const client = await approveClient()
    expect(client.described.body.data).toEqual({
      clientName: 'Editor',
      redirectHost: '127.0.0.1:4711',
      access: 'write',
    })
    expect(client.redirectTo!.searchParams.get('state')).toBe('state-1')
    const tokens = await exchangeCode(client)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'write' })

    const { sheetId } = await createSheet([{ key: 'a', type: 'string' }])
    await must('POST', `/sheets/${sheetId}/records`, [{ a: 'x' }])
    const tool = createToolCaller(await connectMcp(tokens.access_token))
    const { previewId } = await tool('preview_set_values', { sheetId, values: { a: 'y' } })
    await tool('apply_change', { previewId })
    expect(await readColumn(sheetId, 'a')).toEqual(['y'])
  })

  it('sees one environment only', async () => {
    const other = await mustAsAdmin('POST', '/environments', { name: 'Other', isProd: false })
    const { access_token } = await connectClient({ environmentId: other.id })
    const tool = createToolCaller(await connectMcp(access_token))
    expect(pluck((await tool('list_environments')).data, 'name')).toEqual(['Other'])
    expect((await tool('get_space', { spaceId })).refused).toContain(spaceId)
  })

  it.each([
    ['read', []],
    [
      'propose',
      ['preview_edit', 'preview_replace_text', 'preview_set_values', 'preview_update_records', 'propose_change'],
    ],
  ])('with %s access lacks the tools for more', async (access, expected) => {
    const { sheetId } = await createSheet([{ key: 'a', type: 'string' }])
    await must('POST', `/sheets/${sheetId}/records`, [{ a: 'x' }])
    const { access_token } = await connectClient({ access })
    const client = await connectMcp(access_token)
    const { tools } = await client.listTools()
    expect(
      pluck(tools, 'name').filter((name: string) => /^(preview_(?!file)|apply|propose|upload)/.test(name)),
    ).toEqual(expected)
    const tool = createToolCaller(client)
    expect((await tool('read_records', { sheetId })).records).toHaveLength(1)
    for (const name of ['preview_delete_records', 'apply_change', 'upload_file'])
      expect((await tool(name)).refused).toContain(`to ${access} only`)
  })

  it('cannot use its token for the API, nor exchange it', async () => {
    const { access_token, refresh_token } = await connectClient()
    const agent = createCaller(access_token)
    expect((await agent('GET', '/spaces')).status).toBe(401)
    expect((await agent('POST', '/auth/personal-access-tokens', { name: 'More' })).status).toBe(401)
    expect((await anybody('POST', '/auth/refresh-token', access_token)).status).toBe(401)
    expect((await createCaller(refresh_token!)('GET', '/spaces')).status).toBe(401)
    const clientId = refresh_token!.split('_').slice(0, 2).join('_')
    expect((await anybody('POST', '/auth', { clientId, secret: refresh_token })).status).toBe(401)
  })

  it('is listed with the tokens of the user, who revokes it', async () => {
    const { access_token } = await connectClient({ access: 'read' })
    const { pat: id } = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString())
    const listed = await mustAsAdmin('GET', '/auth/personal-access-tokens')
    expect(listed.find((token: { id: string }) => token.id === id)).toMatchObject({
      name: 'Editor',
      connection: { environmentId: account.environmentId, access: 'read' },
    })
    await admin('DELETE', `/auth/personal-access-tokens/${id}`)
    await expect(connectMcp(access_token)).rejects.toThrow()
  })

  it('ends with its user, and when the user loses its role', async () => {
    const email = newEmail()
    const invited = await mustAsAdmin('POST', '/users/invite', { email, name: 'Grace' })
    await acceptInvitation(email)
    const grace = await signIn({ email, password: PASSWORD })
    const { access_token } = await connectClient({ by: grace })
    await connectMcp(access_token)
    const { id: roleId } = (await mustAsAdmin('GET', `/users/${invited.id}/roles`))[0]
    const environmentRole = { roleId: 'us_rol_reader', resourceId: account.environmentId }
    await mustAsAdmin('POST', `/users/${invited.id}/roles`, environmentRole)
    await mustAsAdmin('DELETE', `/users/${invited.id}/roles/${roleId}`)
    const tool = createToolCaller(await connectMcp(access_token))
    const { previewId } = await tool('preview_space', { name: 'Mine', environmentId: account.environmentId })
    expect((await tool('apply_change', { previewId })).refused).toContain('spaces:create')
    await admin('DELETE', `/users/${invited.id}`)
    await expect(connectMcp(access_token)).rejects.toThrow()
  })

  it('can end its connection itself', async () => {
    const { access_token, refresh_token } = await connectClient()
    expect((await anybody('POST', '/oauth/revoke', { token: 'pat_unknown' })).status).toBe(200)
    await connectMcp(access_token)
    await anybody('POST', '/oauth/revoke', { token: refresh_token })
    await expect(connectMcp(access_token)).rejects.toThrow()
  })
})

describe('a refresh token', () => {
  it('works once and is replaced', async () => {
    const first = await connectClient()
    const second = await refresh(first.refresh_token!)
    const third = await refresh(second.refresh_token!)
    await connectMcp(third.access_token)
  })

  it('that is used twice ends the connection', async () => {
    const first = await connectClient()
    const second = await refresh(first.refresh_token!)
    await expect(refresh(first.refresh_token!)).rejects.toThrow(/used or revoked/)
    await expect(refresh(second.refresh_token!)).rejects.toThrow(/used or revoked/)
    await expect(connectMcp(second.access_token)).rejects.toThrow()
  })
})

describe('a code', () => {
  const exchange = (fields: object) =>
    anybody('POST', '/oauth/token', { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...fields })

  it('works once, only with its verifier, client and address', async () => {
    const client = await approveClient()
    const code = client.redirectTo!.searchParams.get('code')!
    const right = { code, code_verifier: client.codeVerifier, client_id: client.clientInformation.client_id }
    for (const wrong of [
      { code_verifier: 'x'.repeat(43) },
      { client_id: 'https://other.example/client.json' },
      { redirect_uri: 'http://127.0.0.1:4712/callback' },
      { code: 'unknown' },
    ])
      expect(await exchange({ ...right, ...wrong })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await exchange({ code })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const twice = await Promise.all([exchange(right), exchange(right)])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await exchange(right)).status).toBe(400)
    expect((await exchange({ ...right, grant_type: 'password' })).body.error).toBe('unsupported_grant_type')
  })
})

describe('an approval', () => {
  it('is refused for an address that the client did not register, another service, or another account', async () => {
    expect((await approveClient({ redirect: 'https://evil.example/cb' })).approved.status).toBe(422)
    expect((await approveClient({ clientId: '1.unknown' })).approved.status).toBe(422)
    const { environmentId } = await createTestAccount()
    expect((await approveClient({ environmentId })).approved.status).toBe(404)
    const { approved, clientInformation } = await approveClient({ redirect: 'http://127.0.0.1:9/callback' })
    expect(approved.status).toBe(200)
    const request = {
      client_id: clientInformation.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      environmentId: account.environmentId,
      access: 'read',
    }
    const foreign = { ...request, resource: 'https://other.example/mcp' }
    expect((await admin('POST', '/oauth/authorize', foreign)).status).toBe(422)
    const plain = { ...request, code_challenge_method: 'plain' }
    expect((await admin('POST', '/oauth/authorize', plain)).body.errors).toMatchObject([
      { key: 'code_challenge_method' },
    ])
    expect((await createCaller(account.secretKey)('POST', '/oauth/authorize', request)).status).toBe(403)
  })

  it('reads the metadata document of a client', async () => {
    const server = createServer((request, response) => {
      const url = `http://127.0.0.1:${(server.address() as { port: number }).port}${request.url}`
      const id = request.url === '/client.json' ? url : 'https://someone.example/client.json'
      response.end(JSON.stringify({ ...CLIENT, client_id: id, client_name: 'Documented' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    try {
      const { described } = await approveClient({ clientId: `${origin}/client.json` })
      expect(described.body.data.clientName).toBe('Documented')
      expect((await approveClient({ clientId: `${origin}/other.json` })).described.status).toBe(422)
      expect((await approveClient({ clientId: 'https://10.0.0.1/client.json' })).described.status).toBe(422)
    } finally {
      server.close()
    }
  })
})
