import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createCaller,
  createDataCaller,
  createTestAccount,
  getAccessToken,
  getServer,
  type TestAccount,
  waitUntil,
} from '../../../test/support/api.ts'
import { installPackages } from '../../../test/support/install-packages.ts'

const COMMAND = 'npm pack ./packages/cli'
const readme = readFileSync('packages/cli/README.md', 'utf8')

let root: string
let program: string
let bin: string
let settings: string
let remove: () => void
let account: TestAccount
let must: ReturnType<typeof createDataCaller>
let spaceId: string
let sheetId: string

const FIELDS = [
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'born', type: 'date' },
]
const CSV = 'Name,Born\nAda,01/02/2021\nGrace,03/04/2021\n'

beforeAll(async () => {
  ;({ root, project: program, remove } = await installPackages(['cli']))
  bin = join(program, 'node_modules/.bin/wharf')
  settings = join(root, 'config/wharf/settings.json')
  writeFileSync(join(program, 'people.csv'), CSV)
  account = await createTestAccount()
  must = createDataCaller(() => createCaller(account.secretKey))
  spaceId = (await must('POST', '/spaces', { environmentId: account.environmentId, name: 'Spring import' })).id
  const sheets = [{ name: 'People', slug: 'people', fields: FIELDS }]
  sheetId = (await must('POST', '/workbooks', { spaceId, name: 'Contacts', sheets })).sheets[0].id
}, 120_000)
afterAll(() => remove())

const getEnvironment = (more: object = {}) => ({
  PATH: `${join(program, 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: root,
  XDG_CONFIG_HOME: join(root, 'config'),
  WHARF_URL: new URL(getServer().baseUrl).origin,
  ...more,
})
const asKey = () => getEnvironment({ WHARF_TOKEN: account.secretKey })

function wharf(args: string[], { env = asKey(), input = '' }: { env?: Record<string, string>; input?: string } = {}) {
  const { status, stdout, stderr } = spawnSync(bin, args, { cwd: program, env, input, encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('wharf login', () => {
  it('stores a token that only its owner can read, and logout deletes it', () => {
    const env = getEnvironment()
    expect(wharf(['spaces'], { env })).toMatchObject({ status: 2, stderr: expect.stringContaining('wharf login') })
    const login = wharf(['login', '--email', account.email], { env, input: `${account.password}\n` })
    expect(login).toMatchObject({ status: 0, stderr: expect.stringContaining('Signed in to Test') })
    expect(statSync(settings).mode & 0o777).toBe(0o600)
    expect(readFileSync(settings, 'utf8')).not.toContain(account.password)
    expect(wharf(['spaces'], { env }).stdout).toContain('Spring import')
    const { token } = JSON.parse(readFileSync(settings, 'utf8'))
    expect(wharf(['logout'], { env }).status).toBe(0)
    expect(wharf(['spaces'], { env }).status).toBe(2)
    expect(wharf(['spaces'], { env: getEnvironment({ WHARF_TOKEN: token }) }).status).toBe(1)
  })

  it('refuses a wrong password and stores nothing', () => {
    const login = wharf(['login', '--email', account.email], { env: getEnvironment(), input: 'wrong\n' })
    expect(login).toMatchObject({ status: 1, stderr: expect.stringContaining('not valid') })
    expect(() => statSync(settings)).toThrow()
  })
})

describe('wharf doctor', () => {
  it('passes, or names what fails', () => {
    expect(wharf(['doctor']).status).toBe(0)
    const wrongToken = wharf(['doctor'], { env: getEnvironment({ WHARF_TOKEN: 'sk_wrong' }) })
    expect(wrongToken).toMatchObject({ status: 1, stdout: expect.stringMatching(/token +failed/) })
    const nowhere = { ...asKey(), WHARF_URL: 'http://127.0.0.1:9' }
    expect(wharf(['doctor'], { env: nowhere })).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/platform +failed/),
    })
  })
})

describe('wharf import', () => {
  it('stops at a question, and reads the column as chosen', () => {
    const asked = wharf(['import', 'people.csv', '--sheet', sheetId, '--json'])
    expect(asked.status).toBe(3)
    const alternatives = JSON.parse(asked.stdout) as { choose: string; reading: { orders: Record<string, string> } }[]
    const { choose } = alternatives.find(({ reading }) => reading.orders['/'] === 'dmy')!
    const imported = wharf(['import', 'people.csv', '--sheet', sheetId, '--choose', choose, '--json'])
    expect(JSON.parse(imported.stdout).counts).toMatchObject({ created: 2, valid: 2 })
    const rows = wharf(['query', sheetId, 'name eq "Ada"', '--json']).stdout.trim().split('\n')
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([{ name: 'Ada', born: '2021-02-01', valid: true }])
  })

  it('names a missing file, a wrong option and a file that cannot be read', () => {
    expect(wharf(['import', 'none.csv', '--sheet', sheetId])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('none.csv'),
    })
    expect(wharf(['import', 'people.csv'])).toMatchObject({ status: 2, stderr: expect.stringContaining('--sheet') })
    writeFileSync(join(program, 'broken.xlsx'), 'PK not a workbook')
    expect(wharf(['import', 'broken.xlsx', '--sheet', sheetId])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('broken.xlsx'),
    })
  })
})

describe('wharf export', () => {
  it('writes CSV to a file and JSON Lines to stdout', () => {
    expect(wharf(['export', sheetId, '--output', 'out.csv']).status).toBe(0)
    expect(readFileSync(join(program, 'out.csv'), 'utf8')).toMatch(/^\W?name,born\r?\nAda,2021-02-01/)
    const lines = wharf(['export', sheetId, '--format', 'jsonl', '--query', 'name eq "Grace"'])
      .stdout.trim()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ name: 'Grace' }])
  })

  it('ends quietly when its reader does', () => {
    const piped = spawnSync('sh', ['-c', `wharf export ${sheetId} | head -1`], { env: asKey(), encoding: 'utf8' })
    expect(piped).toMatchObject({ status: 0, stderr: '' })
  })
})

describe('wharf events tail', () => {
  it('prints events as they happen', async () => {
    const args = ['events', 'tail', '--space', spaceId, '--topic', 'workbook:created', '--json']
    const tail = spawn(bin, args, { env: asKey() })
    try {
      const started = await new Promise<Buffer>((resolve) => tail.stderr.once('data', resolve))
      expect(started.toString()).toContain('Waiting for events')
      const { id } = await must('POST', '/workbooks', { spaceId, name: 'Later' })
      const line = await new Promise<Buffer>((resolve) => tail.stdout.once('data', resolve))
      expect(JSON.parse(line.toString().split('\n')[0]!)).toMatchObject({
        topic: 'workbook:created',
        context: { workbookId: id },
      })
    } finally {
      tail.kill()
    }
  })
})

describe('a listener of the public form', () => {
  const LISTENER = `
    exports.default = (listener) => {
      listener.on('space:created', async (event) => {
        const { name } = (await event.fetch('v1/spaces/' + event.context.spaceId))
        if (name !== 'Welcome') throw new Error('not welcome: ' + name)
        await event.fetch('v1/spaces/' + event.context.spaceId, {
          method: 'PATCH', data: JSON.stringify({ name: 'Welcomed' }),
        })
      })
    }`
  const getName = async (id: string) => (await must('GET', `/spaces/${id}`)).name

  beforeAll(() => {
    writeFileSync(join(program, 'public.cjs'), LISTENER)
    symlinkSync(resolve('node_modules/@flatfile'), join(program, 'node_modules/@flatfile'))
  })

  it('runs with wharf dev, which reports the errors it catches and agents that run, too', async () => {
    const source = 'exports.routeEvent = () => {}'
    const agent = await must('POST', '/agents', { slug: 'also-deployed', topics: ['space:created'], source })
    const dev = spawn(bin, ['dev', 'public.cjs', '--json'], { cwd: program, env: asKey() })
    let output = ''
    let notes = ''
    dev.stdout.on('data', (chunk) => (output += chunk))
    dev.stderr.on('data', (chunk) => (notes += chunk))
    try {
      await waitUntil(async () => /Following/.test(notes) && /Loaded/.test(notes), 40)
      expect(notes).toContain('Deployed agents handle the same events, too: also-deployed')
      const { id } = await must('POST', '/spaces', { name: 'Welcome' })
      await waitUntil(async () => (await getName(id)) === 'Welcomed', 40)
      await must('POST', '/spaces', { name: 'Other' })
      await waitUntil(async () => output.trim().split('\n').length >= 2 && output.includes('not welcome'), 40)
      const lines = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines[0]).toMatchObject({ topic: 'space:created', milliseconds: expect.any(Number) })
      expect(lines.at(-1).error).toMatch(/not welcome: Other[\s\S]*public\.cjs:5[\s\S]*> 5 \|/)
    } finally {
      dev.kill('SIGKILL')
      await must('DELETE', `/agents/${agent.id}`)
    }
  })

  it('is deployed as an agent', async () => {
    const { status, stdout, stderr } = wharf(['deploy', 'public.cjs', '--slug', 'welcome', '--json'])
    expect(status, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ slug: 'welcome', topics: ['space:created'], status: 'active' })
    const { id } = await must('POST', '/spaces', { name: 'Welcome' })
    await waitUntil(async () => (await getName(id)) === 'Welcomed', 40)
  }, 60_000)

  it('is deployed by an upload if it is too large for a request', () => {
    const data = JSON.stringify(randomBytes(5_000_000).toString('base64'))
    writeFileSync(join(program, 'large.cjs'), `exports.default = (listener) => listener.on('job:*', () => ${data})`)
    const { status, stdout, stderr } = wharf(['deploy', 'large.cjs', '--slug', 'large', '--json'])
    expect(status, stderr).toBe(0)
    expect(JSON.parse(stdout).topics).toContain('job:ready')
  }, 60_000)

  it('is not deployed if it is missing, broken, or handles nothing', () => {
    writeFileSync(join(program, 'unknown.cjs'), "exports.default = (listener) => listener.on('job:redy', () => {})")
    writeFileSync(join(program, 'broken.cjs'), 'throw new Error("not today")')
    writeFileSync(join(program, 'nothing.cjs'), 'exports.default = () => {}')
    const deploy = (file: string) => wharf(['deploy', file])
    expect(deploy('missing.cjs')).toMatchObject({ status: 2, stderr: expect.stringContaining('missing.cjs') })
    expect(deploy('broken.cjs')).toMatchObject({ status: 2, stderr: expect.stringContaining('not today') })
    expect(deploy('unknown.cjs')).toMatchObject({ status: 2, stderr: expect.stringContaining('job:redy') })
    expect(deploy('nothing.cjs')).toMatchObject({ status: 2, stderr: expect.stringContaining('no topic') })
  })
})

describe('wharf keys', () => {
  it('creates a key that works until it is deleted', async () => {
    const admin = createDataCaller(() => createCaller(session))
    const session = await getAccessToken(account)
    const { token } = await admin('POST', '/auth/personal-access-tokens', { name: 'Keys' })
    const env = getEnvironment({ WHARF_TOKEN: token })
    const environment = ['--environment', account.environmentId]
    const value = wharf(['keys', 'create', ...environment], { env }).stdout.trim()
    const withKey = { env: getEnvironment({ WHARF_TOKEN: value }) }
    expect(wharf(['spaces'], withKey).status).toBe(0)
    const id = value.split('_').slice(0, 2).join('_')
    const listed = wharf(['keys', 'list', ...environment], { env }).stdout
    expect(listed).toContain(id)
    expect(listed).not.toContain(value)
    expect(wharf(['keys', 'delete', value, ...environment], { env }).status).toBe(0)
    expect(wharf(['spaces'], withKey).status).toBe(1)
  })
})

describe('wharf completion', () => {
  const complete = {
    bash: (words: string[]) =>
      `eval "$(wharf completion bash)"; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _wharf; echo "\${COMPREPLY[@]}"`,
    // The completion system calls the function with these variables; compadd filters by the word at the cursor.
    zsh: (words: string[]) =>
      `compdef() { :; }; _files() { :; }; compadd() { shift; print -l -- "$@" | grep "^${words.at(-1)}"; }; eval "$(wharf completion zsh)"; words=(${words.join(' ')}); CURRENT=${words.length}; _wharf`,
  }

  it.each(['bash', 'zsh'] as const)('completes commands and options in %s', (shell) => {
    const run = (...words: string[]) => {
      const options = { env: asKey(), encoding: 'utf8' } as const
      const { stdout, stderr } = spawnSync(shell, ['-c', complete[shell](words)], options)
      expect(stderr).toBe('')
      return stdout.trim()
    }
    expect(run('wharf', 'imp')).toBe('import')
    expect(run('wharf', 'events', 'ta')).toBe('tail')
    expect(run('wharf', 'import', 'people.csv', '--sh')).toBe('--sheet')
  })
})

describe('README.md', () => {
  it('has a session that runs as written', () => {
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
    expect(blocks[0]).toContain(COMMAND)
    expect(blocks[1]).toContain('wharf-cli-0.1.0.tgz')
    const session = blocks.slice(2).filter((block) => !block.includes('wharf init'))
    const script = `set -e\n${session.join('')}`.replace(
      '--email ada@example.com',
      `--email ${account.email} <<< "$PASSWORD"`,
    )
    const env = getEnvironment({ SPACE: spaceId, SHEET: sheetId, PASSWORD: account.password })
    const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: program, env, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect(readFileSync(join(program, 'clean.csv'), 'utf8')).toContain('Ada')
    wharf(['logout'], { env: getEnvironment() })
  })

  it('lists every command', () => {
    const { stdout } = wharf(['--help'])
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'help')
    expect(commands.length).toBeGreaterThan(9)
    expect(commands.filter((name) => !readme.includes(`\`wharf ${name}`))).toEqual([])
  })
})
