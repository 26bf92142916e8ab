/** Runs the commands of the README of each example, and checks what they print and leave on the platform. */
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Wharf } from '../../packages/sdk/src/index.ts'
import { createTestAccount, getServer, waitUntil } from '../support/api.ts'
import { freePort, runFile } from '../support/emulators.ts'
import { installPythonClient } from '../support/python-client.ts'
import { startReadme } from '../support/run-readme.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let wharf: Wharf
let env: Record<string, string>
let stop = () => {}
beforeEach(async () => {
  const { secretKey } = await createTestAccount()
  const baseUrl = getServer().baseUrl
  wharf = new Wharf({ token: secretKey, baseUrl })
  env = { PATH: process.env.PATH!, HOME: process.env.HOME!, URL: `${baseUrl}/v1`, KEY: secretKey }
})
afterEach(() => {
  stop()
  stop = () => {}
})

async function runReadme(name: string, more: Record<string, string>): Promise<() => string> {
  const run = startReadme(`examples/${name}/README.md`, resolve('.'), { ...env, ...more })
  stop = run.stop
  await run.ended
  return run.getOutput
}

describe('examples/crm-import', () => {
  it('imports, merges, updates by key, and sends valid records to the CRM by an agent', async () => {
    const crm = `http://127.0.0.1:${await freePort()}`
    const output = (await runReadme('crm-import', { CRM_URL: crm }))()
    expect(output).toContain('companies.csv: 7 created, 0 updated, 0 unchanged')
    expect(output).toContain('contacts.csv: 7 created, 0 updated, 0 unchanged')
    expect(output).toContain('Contacts: 1 x company "wingtip.example": This value does not exist')
    expect(output).toContain('Companies: duplicates merged, 1 deleted')
    expect(output).toContain('contacts-november.csv: 1 created, 1 updated, 1 unchanged')
    expect(output).toContain('Sent 5 companies and 5 contacts to the CRM.')
    const headers = { authorization: 'Bearer crm-secret' }
    const contacts = (await (await fetch(`${crm}/contacts`, { headers })).json()) as object[]
    expect(contacts).toHaveLength(5)
    expect(contacts[0]).toEqual({
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@northwind.example',
      phone: '+4930901820',
      company: 'northwind.example',
      since: '2024-05-12',
      newsletter: false,
    })
    const companies = (await (await fetch(`${crm}/companies`, { headers })).json()) as object[]
    expect(companies).toContainEqual({
      ...{ name: 'Northwind Traders', domain: 'northwind.example', country: 'DE' },
      ...{ employees: 1250, revenue: 12_400_000 },
    })
  }, 120_000)
})

describe('examples/product-catalogue', () => {
  it('imports two tables, creates categories, fixes groups of errors, and writes JSON lines', async () => {
    const output = (await runReadme('product-catalogue', {}))()
    expect(output).toContain('Created 3 missing categories')
    expect(output).toContain('1 x price "auf Anfrage"')
    expect(output).toContain('1 x product "S-999"')
    expect(output).not.toContain('auslaufend')
    const lines = readFileSync('examples/product-catalogue/products.jsonl', 'utf8').trim().split('\n')
    rmSync('examples/product-catalogue/products.jsonl')
    const products = lines.map((line) => JSON.parse(line))
    expect(products.map(({ number }) => number)).toEqual([
      'L-100',
      'L-101',
      'L-102',
      'S-200',
      'S-201',
      'S-202',
      'T-301',
    ])
    expect(products[5]).toEqual({
      ...{ number: 'S-202', name: 'Bank Åre', category: 'Stühle', brand: 'Holzwerk', price: 349, weight: 14 },
      ...{ status: 'discontinued', variants: [] },
    })
    expect(products[3].variants.map(({ sku }: { sku: string }) => sku)).toEqual(['S-200-N', 'S-200-B'])
  }, 120_000)
})

describe('examples/python-pipeline', () => {
  it('imports files of two languages, updates by two keys, and loads the valid records', async ({ skip }) => {
    const client = await installPythonClient()
    if (typeof client === 'string') return skip(client)
    const database = resolve('examples/python-pipeline/weather.sqlite')
    try {
      const output = (await runReadme('python-pipeline', client.env))()
      expect(output).toContain('data/north.csv: 5 created, 0 updated')
      expect(output).toContain('data/south.csv: 4 created, 0 updated')
      expect(output.match(/Nordhafen 2024-05-15 temperature: This field is required/g)).toHaveLength(1)
      expect(output.match(/Bergalm 2024-05-13 temperature: This value is not a number/g)).toHaveLength(2)
      expect(output).toContain('7 measurements are in weather.sqlite')
      expect(output).toContain('data/north-corrected.csv: 1 created, 1 updated')
      expect(output).toContain('9 measurements are in weather.sqlite')
      const select = `import json, sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute("SELECT * FROM measurements WHERE day = '2024-05-15' ORDER BY station")
print(json.dumps(list(rows)))`
      const { stdout } = await runFile(client.python, ['-c', select, database])
      expect(JSON.parse(stdout)).toEqual([
        ['Leuchtturm', '2024-05-15', 13.8, 9.5],
        ['Nordhafen', '2024-05-15', 15.3, 11.8],
        ['Suedtor', '2024-05-15', 19.4, null],
      ])
    } finally {
      rmSync(database, { force: true })
    }
  }, 300_000)
})

describe('examples/webhook-receiver', () => {
  const post = async (port: number, body: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status

  function sign(secret: string, id: string, body: string, seconds = Math.floor(Date.now() / 1000)) {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
  }

  it('handles a signed event once, also if it is replayed, and both secrets of a rotation are accepted', async () => {
    const port = await freePort()
    const more = { RECEIVER_PORT: String(port), HANDLED_FILE: join(folder, 'handled.txt') }
    const read = await runReadme('webhook-receiver', more)
    await waitUntil(async () => /space:created us_sp_\w+/.test(read()), 30)
    const { data: webhooks } = await wharf.webhooks.list()
    const webhookId = webhooks[0]!.id
    const listDelivered = async () =>
      (await wharf.webhooks.deliveries(webhookId)).filter(({ status }) => status === 'delivered')
    const [delivery] = await waitUntil(async () => {
      const delivered = await listDelivered()
      return delivered.length > 0 && delivered
    }, 30)
    const { attempts } = await wharf.webhooks.replay(webhookId, delivery!.id)
    expect(attempts.at(-1)).toMatchObject({ statusCode: 200, success: true })
    expect(read().match(/space:created/g)).toHaveLength(1)

    const { secret } = await wharf.webhooks.rotateSecret(webhookId)
    await wharf.webhooks.replay(webhookId, delivery!.id)
    expect((await listDelivered())[0]!.attempts.at(-1)).toMatchObject({ statusCode: 200 })
    const event = JSON.stringify({ topic: 'space:created' })
    expect(await post(port, event, sign(secret, 'of the new secret only', event))).toBe(401)
    expect(readFileSync(more.HANDLED_FILE, 'utf8').trim().split('\n')).toEqual([delivery!.eventId])
  }, 120_000)
  it('rejects forged and old requests, and handles a repeated event only if it failed before', async () => {
    const port = await freePort()
    const secret = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0'
    const handled = join(folder, 'direct.txt')
    const child = spawn(process.execPath, ['examples/webhook-receiver/receiver.mjs'], {
      env: { PORT: String(port), WEBHOOK_SECRET: secret, HANDLED_FILE: handled },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    stop = () => process.kill(-child.pid!, 'SIGKILL')
    await once(child.stdout, 'data')
    const event = JSON.stringify({ topic: 'space:created' })
    const now = Math.floor(Date.now() / 1000)
    expect(await post(port, event, {})).toBe(401)
    expect(await post(port, event, { ...sign(secret, 'a', event), 'webhook-id': 'b' })).toBe(401)
    expect(await post(port, event, sign('whsec_b3RoZXI=', 'a', event))).toBe(401)
    expect(await post(port, event, sign(secret, 'a', event, now - 600))).toBe(401)
    expect(await post(port, `${event} `, sign(secret, 'a', event))).toBe(401)
    expect(await post(port, 'not JSON', sign(secret, 'a', 'not JSON'))).toBe(500)
    expect(await post(port, event, sign(secret, 'a', event))).toBe(200)
    expect(await post(port, event, sign(secret, 'a', event))).toBe(200)
    expect(readFileSync(handled, 'utf8')).toBe('a\n')
  }, 60_000)
})
