import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCaller, createTestAccount, getAccessToken, type TestAccount, waitUntil } from './api.ts'
import { callTool, say, startModelServer } from './model-server.ts'

export interface Fixture {
  account: TestAccount
  token: string
  ids: Record<string, string>
}

const AGENT = {
  topics: ['space:created'],
  compiler: 'js',
  slug: 'fixture',
  source: 'module.exports = { routeEvent: async () => {} }',
}

export async function createFixture(): Promise<Fixture> {
  const account = await createTestAccount()
  const token = await createLastingToken(account)
  const call = createCaller(token)
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const { environmentId } = account
  const space = await must('POST', '/spaces', { environmentId, name: 'Fixture' })
  const workbook = await must('POST', '/workbooks', {
    spaceId: space.id,
    name: 'People',
    sheets: [
      {
        name: 'People',
        slug: 'people',
        fields: [
          { key: 'email', type: 'string' },
          { key: 'age', type: 'number' },
          { key: 'manager', type: 'reference', config: { ref: 'people', key: 'email', relationship: 'has-one' } },
        ],
      },
    ],
  })
  const sheet = workbook.sheets[0]
  const inserted = await must('POST', `/sheets/${sheet.id}/records`, [{ email: { value: 'ada@example.com' } }])
  const snapshot = await must('POST', '/snapshots', { sheetId: sheet.id, label: 'Fixture' })
  const file = await upload(token, { spaceId: space.id, environmentId })
  const job = await must('POST', '/jobs', { type: 'space', operation: 'fixture', source: space.id })
  const agent = await must('POST', `/agents?environmentId=${environmentId}`, AGENT)
  const [version] = await must('GET', `/agents/${agent.id}/versions`)
  await must('POST', '/jobs', {
    type: 'agent',
    operation: 'agent-export',
    source: agent.id,
    config: { exportType: 'SOURCE' },
    trigger: 'immediate',
  })
  const [secret] = await must('POST', '/secrets', { environmentId, name: 'FIXTURE', value: 'sealed' })
  const pat = await must('POST', '/auth/personal-access-tokens', { name: 'fixture' })
  const keys = await must('GET', `/auth/api-keys?environmentId=${environmentId}`)
  const subscription = await must('GET', `/subscription?scope=${environmentId}`)
  const document = await must('POST', `/spaces/${space.id}/documents`, { title: 'Fixture', body: '# Hello' })
  const action = await must('POST', `/actions?spaceId=${space.id}`, { targetId: sheet.id, operation: 'x', label: 'X' })
  const thread = await must('POST', '/threads', { resourceId: sheet.id, status: 'ready' })
  const message = await call('POST', `/threads/${thread.id}/messages`, { role: 'user', content: { text: 'Hello' } })
  const assisted = await askAssistant(must, call, environmentId, sheet.id)
  const canvas = await must('POST', '/canvases', { spaceId: space.id, name: 'Fixture' })
  const area = await must('POST', '/canvas-areas', { canvasId: canvas.id, type: 'sheet', position: 'middle' })
  const app = await must('POST', '/apps', { name: 'Fixture', namespace: 'fixture', type: 'CUSTOM' })
  const constraint = await must('POST', `/apps/${app.id}/constraints`, { validator: 'fixture' })
  const view = await must('POST', '/views', { sheetId: sheet.id, name: 'Fixture', config: {} })
  const autobuild = await must('POST', `/environments/${environmentId}/autobuilds`, {
    appId: app.id,
    workbooks: [{ name: 'Fixture' }],
  })
  const clip = await createChangedClip(must, call, sheet.id)
  const [guest] = await must('POST', '/guests', {
    environmentId,
    email: 'guest@example.com',
    name: 'Guest',
    spaces: [{ id: space.id }],
  })
  const program = await must('POST', `/mapping?environmentId=${environmentId}`, {
    source: { name: 'File', fields: ['E-Mail', 'Mail'].map((key) => ({ key, type: 'string' })) },
    destinationSheetId: sheet.id,
    save: true,
    rules: [
      { name: 'The address', type: 'assign', config: { sourceField: 'E-Mail', destinationField: 'email' } },
      { name: 'Not the other', type: 'ignore', config: { sourceField: 'Mail' } },
    ],
  })
  const email = `other-${account.userId.slice(-8).toLowerCase()}@example.com`
  const other = await must('POST', '/users/invite', { email, name: 'Other' })
  const mail = (await must('GET', '/invitations')).find(({ to }: { to: string }) => to === email)
  const [agentRole] = await must('GET', `/agents/${agent.id}/roles`)
  const [guestRole] = await must('GET', `/guests/${guest.id}/roles`)
  const policy = await must('POST', '/data-retention-policies', { type: 'sinceCreated', period: 3650, environmentId })
  const webhook = await must('POST', '/webhooks', {
    environmentId,
    url: 'http://127.0.0.1:9/',
    topics: ['space:created'],
  })
  await must('POST', '/spaces', { environmentId, name: 'Seen by the agent' })
  const [run] = await waitUntil(async () => {
    const logs = await must('GET', `/agents/${agent.id}/logs?environmentId=${environmentId}`)
    return logs[0] && logs[0].status !== 'running' && logs
  })
  const agentExport = await waitUntil(async () => (await must('GET', `/agent-exports?agentId=${agent.id}`))[0])
  const connection = await connectAgent(createCaller(token), environmentId)
  const delivery = await waitUntil(async () => (await must('GET', `/webhooks/${webhook.id}/deliveries`))[0])
  return {
    account,
    token,
    ids: {
      accountId: account.accountId,
      userId: account.userId,
      environmentId,
      email: account.email,
      password: account.password,
      spaceId: space.id,
      workbookId: workbook.id,
      sheetId: sheet.id,
      recordId: inserted.records[0].id,
      commitId: inserted.commitId,
      snapshotId: snapshot.id,
      fileId: file,
      jobId: job.id,
      agentId: agent.id,
      agentVersionId: version.id,
      agentExportId: agentExport.id,
      eventId: run.eventId,
      secretId: secret.id,
      threadId: thread.id,
      messageId: message.body.id,
      ...assisted,
      canvasId: canvas.id,
      canvasAreaId: area.id,
      ...clip,
      appId: app.id,
      constraintId: constraint.id,
      viewId: view.id,
      autobuildId: autobuild.id,
      documentId: document.id,
      actionId: action.id,
      programId: program.id,
      mappingId: program.rules[0].id,
      otherMappingId: program.rules[1].id,
      retentionPolicyId: policy.id,
      webhookId: webhook.id,
      deliveryId: delivery.id,
      guestId: guest.id,
      otherUserId: other.id,
      userRoleId: other.actorRoles[0].id,
      inviteToken: /#token=(\S+)/.exec(mail.text)![1]!,
      agentRoleId: agentRole.id,
      guestRoleId: guestRole.id,
      accessToken: token,
      issuer: await startProvider(),
      tokenId: pat.personalAccessToken.id,
      keyId: keys[0].id,
      subscriptionToken: subscription.token,
      ...connection,
    },
  }

  async function upload(bearer: string, fields: Record<string, string>): Promise<string> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob(['name\nAda\n'], { type: 'text/plain' }), 'people.dat')
    const { getServer } = await import('./api.ts')
    const response = await fetch(`${getServer().baseUrl}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      body: form,
    })
    const body = (await response.json()) as { data?: { id: string } }
    if (!body.data) throw new Error(`upload: ${response.status} ${JSON.stringify(body)}`)
    return body.data.id
  }
}

async function askAssistant(
  must: (method: string, path: string, body?: unknown) => Promise<{ id: string }[] & { id: string }>,
  call: ReturnType<typeof createCaller>,
  environmentId: string,
  sheetId: string,
): Promise<{ assistedThreadId: string; proposalId: string }> {
  const model = await startModelServer()
  model.script(callTool('propose_set_values', { sheetId, values: { age: 36 } }), say('Proposed.'))
  await must('PUT', '/assistant', { environmentId, provider: 'openai', url: model.url, model: 'scripted' })
  const { id: assistedThreadId } = await must('POST', '/threads', { resourceId: sheetId, status: 'ready' })
  await call('POST', `/threads/${assistedThreadId}/ask`, { text: 'Set the age.' })
  const [proposal] = await waitUntil(async () => {
    const found = await must('GET', `/threads/${assistedThreadId}/proposals`)
    return found.length > 0 && found
  })
  model.close()
  return { assistedThreadId, proposalId: proposal!.id }
}

/** The verifier and challenge of RFC 7636. */
const PKCE = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
}

async function connectAgent(call: ReturnType<typeof createCaller>, environmentId: string) {
  const redirect_uri = 'http://127.0.0.1/callback'
  const { client_id } = (await call('POST', '/oauth/register', { redirect_uris: [redirect_uri] })).body
  const approved = await call('POST', '/oauth/authorize', {
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge: PKCE.challenge,
    code_challenge_method: 'S256',
    environmentId,
    access: 'read',
  })
  const code = new URL(approved.body.data.redirectTo).searchParams.get('code')
  const grant = { grant_type: 'authorization_code', code, code_verifier: PKCE.verifier, client_id }
  return { clientId: client_id, refreshToken: (await call('POST', '/oauth/token', grant)).body.refresh_token }
}

/** Uses a legacy pair, because the example that enables single sign-on ends password sessions. */
async function createLastingToken({ email, password }: TestAccount): Promise<string> {
  const accessToken = await getAccessToken({ email, password })
  const legacyPair = await createCaller(accessToken)('POST', '/auth/personal-access-tokens', {
    name: 'pair of the fixture',
  })
  const { token: secret, personalAccessToken } = legacyPair.body.data
  return getAccessToken({ clientId: personalAccessToken.id, secret })
}

async function createChangedClip(
  must: (method: string, path: string, body?: unknown) => Promise<{ data: { id: string }; records: { id: string }[] }>,
  call: ReturnType<typeof createCaller>,
  sourceSheetId: string,
): Promise<{ dataClipId: string; clipRecordId: string }> {
  const { id: dataClipId, clipSheetId } = (await call('POST', '/data-clips', { name: 'Fixture', sourceSheetId })).body
  await call('POST', `/data-clips/${dataClipId}/add-records?filter=all`)
  const path = `/sheets/${clipSheetId}/records`
  const clipRecordId = (await must('GET', path)).records[0]!.id
  await must('PUT', path, [{ id: clipRecordId, values: { email: { value: 'countess@example.com' } } }])
  return { dataClipId, clipRecordId }
}

async function startProvider(): Promise<string> {
  let issuer = ''
  const startProvider = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      }),
    )
  })
  await new Promise<void>((resolve) => startProvider.listen(0, '127.0.0.1', resolve))
  startProvider.unref()
  issuer = `http://127.0.0.1:${(startProvider.address() as AddressInfo).port}`
  return issuer
}

export function fillExample<T>(value: T, ids: Record<string, string>): T {
  const text = JSON.stringify(value ?? null).replace(
    /\{(\w+)\}/g,
    (placeholder, name: string) => ids[name] ?? placeholder,
  )
  return JSON.parse(text) as T
}
