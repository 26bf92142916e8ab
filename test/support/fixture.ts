/** One of everything in a fresh account, by the placeholder names the endpoints' examples use. */
import { callerOf, mintAccount, type TestAccount, until } from './api.ts'

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

/** Creates the things over HTTP, as an administrator would. */
export async function fixture(): Promise<Fixture> {
  const account = await mintAccount()
  const signedIn = await callerOf(undefined)('POST', '/auth', { email: account.email, password: account.password })
  const token = signedIn.body.accessToken as string
  const call = callerOf(token)
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
  const [secret] = await must('POST', '/secrets', { environmentId, name: 'FIXTURE', value: 'sealed' })
  const pat = await must('POST', '/auth/personal-access-tokens', { name: 'fixture' })
  const keys = await must('GET', `/auth/api-keys?environmentId=${environmentId}`)
  const subscription = await must('GET', `/subscription?scope=${environmentId}`)
  const document = await must('POST', `/spaces/${space.id}/documents`, { title: 'Fixture', body: '# Hello' })
  const action = await must('POST', `/actions?spaceId=${space.id}`, { targetId: sheet.id, operation: 'x', label: 'X' })
  const thread = await must('POST', '/threads', { resourceId: sheet.id, status: 'ready' })
  const message = await call('POST', `/threads/${thread.id}/messages`, { role: 'user', content: { text: 'Hello' } })
  const canvas = await must('POST', '/canvases', { spaceId: space.id, name: 'Fixture' })
  const area = await must('POST', '/canvas-areas', { canvasId: canvas.id, type: 'sheet', position: 'middle' })
  const [guest] = await must('POST', '/guests', {
    environmentId,
    email: 'guest@example.com',
    name: 'Guest',
    spaces: [{ id: space.id }],
  })
  const policy = await must('POST', '/data-retention-policies', { type: 'sinceCreated', period: 3650, environmentId })
  // Nobody listens there: its deliveries fail at once.
  const webhook = await must('POST', '/webhooks', {
    environmentId,
    url: 'http://127.0.0.1:9/',
    topics: ['space:created'],
  })
  await must('POST', '/spaces', { environmentId, name: 'Seen by the agent' })
  const [run] = await until(async () => {
    const logs = await must('GET', `/agents/${agent.id}/logs?environmentId=${environmentId}`)
    return logs.length > 0 && logs
  })
  const delivery = await until(async () => (await must('GET', `/webhooks/${webhook.id}/deliveries`))[0])
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
      eventId: run.eventId,
      secretId: secret.id,
      threadId: thread.id,
      messageId: message.body.id,
      canvasId: canvas.id,
      canvasAreaId: area.id,
      documentId: document.id,
      actionId: action.id,
      retentionPolicyId: policy.id,
      webhookId: webhook.id,
      deliveryId: delivery.id,
      guestId: guest.id,
      tokenId: pat.personalAccessToken.id,
      keyId: keys[0].id,
      subscriptionToken: subscription.token,
    },
  }

  async function upload(bearer: string, fields: Record<string, string>): Promise<string> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob(['name\nAda\n'], { type: 'text/plain' }), 'people.dat')
    const { server } = await import('./api.ts')
    const response = await fetch(`${server().baseUrl}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      body: form,
    })
    const body = (await response.json()) as { data?: { id: string } }
    if (!body.data) throw new Error(`upload: ${response.status} ${JSON.stringify(body)}`)
    return body.data.id
  }
}

/** An example with the fixture's ids in place of `{name}`. */
export function filled<T>(value: T, ids: Record<string, string>): T {
  const text = JSON.stringify(value ?? null).replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole)
  return JSON.parse(text) as T
}
