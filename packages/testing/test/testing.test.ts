import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@flatfile/listener'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../../../test/support/api.ts'
import { readBlocks } from '../../../test/support/doc-blocks.ts'
import { installPackages } from '../../../test/support/install-packages.ts'
import { createListener } from '../../listener/src/index.ts'
import { recordHook } from '../../record-hook/src/index.ts'
import type { Mounted, startPlatform, TestPlatform } from '../src/index.ts'

const PACKAGES = ['sdk', 'platform', 'testing']
const PAGES = ['packages/testing/README.md', 'docs/guides/listeners.md']

let project: string
let remove: () => void
let start: typeof startPlatform
let platform: TestPlatform
let mounted: Mounted | undefined

beforeAll(async () => {
  ;({ project, remove } = await installPackages([...PACKAGES, 'listener']))
  const module = pathToFileURL(join(project, 'node_modules/@wharf/testing/dist/index.mjs')).href
  ;({ startPlatform: start } = await import(module))
  platform = await start()
}, 300_000)
afterAll(async () => {
  await platform?.stop()
  remove?.()
})
afterEach(() => {
  mounted?.unmount()
  mounted = undefined
})

const PEOPLE = {
  name: 'Contacts',
  sheets: [
    {
      name: 'People',
      slug: 'people',
      fields: [
        { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
        { key: 'born', type: 'date' },
      ],
    },
  ],
} satisfies Parameters<TestPlatform['createSpace']>[0]

const createPeople = async () => (await platform.createSpace(PEOPLE)).getSheetId('people')
const listTopics = () => mounted!.handled.map(({ topic }) => topic)
const emit = (topic: string) =>
  platform.wharf.events.create({
    topic,
    domain: 'shop',
    context: { environmentId: platform.environmentId },
    payload: {},
  })

describe('a mounted listener', () => {
  it('configures spaces and handles records, and is not called for its own replies', async () => {
    const listener = createListener((on) => {
      on.job('space:configure', async ({ wharf, context }) => {
        await wharf.workbooks.create({ ...PEOPLE, spaceId: context.spaceId! })
      })
      on('commit:created', { sheet: 'people' }, async (event) => {
        const records = await event.records()
        await event.update(records.map(({ id, values }) => ({ id, values: { name: `${values.name?.value ?? ''}!` } })))
      })
    })
    mounted = await platform.mount(listener)
    const space = await platform.configureSpace()
    const sheetId = space.getSheetId('people')
    await platform.insert(sheetId, [{ name: 'Ada' }, { name: 'Grace', born: 'yesterday' }])
    expect(await platform.read(sheetId)).toMatchObject([
      { values: { name: 'Ada!' }, valid: true, messages: {} },
      { values: { name: 'Grace!' }, valid: false, messages: { born: [{ type: 'error' }] } },
    ])
    expect(listTopics()).toEqual(['job:ready', 'commit:created'])
    expect(mounted.handled[0]).toMatchObject({
      context: { spaceId: space.id },
      handlers: [{ handler: 'space:configure' }],
    })
    expect(() => space.getSheetId('persons')).toThrow('The slugs are: people')
  })

  it('may be one of the public library, with plugins', async () => {
    const listener = Client.create((each) => {
      each.use(recordHook('people', (record) => record.computeIfPresent('name', (name) => String(name).toUpperCase())))
    })
    mounted = await platform.mount(listener)
    const sheetId = await createPeople()
    writeFileSync(join(project, 'people.csv'), 'Name,Born\nAda,1815-12-10\nGrace,1906-12-09\n')
    const { counts } = await platform.importFile(sheetId, join(project, 'people.csv'))
    expect(counts).toMatchObject({ created: 2 })
    expect((await platform.read(sheetId)).map(({ values }) => values.name)).toEqual(['ADA', 'GRACE'])
    expect(listTopics()).toContain('commit:created')
  })

  it('receives events while the test waits for something else', async () => {
    mounted = await platform.mount(createListener((on) => on.job('workbook:submit', async () => 'Submitted')))
    const { workbooks } = await platform.createSpace(PEOPLE)
    const job = { type: 'workbook', operation: 'submit', source: workbooks[0]!.id, trigger: 'immediate' } as const
    const { id } = await platform.wharf.jobs.create(job)
    expect(await platform.wharf.jobs.wait(id)).toMatchObject({ outcome: { message: 'Submitted' } })
  })

  it('receives nothing from before it is mounted or after it is unmounted', async () => {
    await emit('shop:early')
    const topics: string[] = []
    mounted = await platform.mount(createListener((on) => on('**', ({ topic }) => void topics.push(topic))))
    await emit('shop:ordered')
    await platform.settle()
    mounted.unmount()
    await emit('shop:late')
    await platform.settle()
    expect(topics).toEqual(['shop:ordered'])
  })
})

describe('settle', () => {
  it('waits for events that handlers and agents cause', async () => {
    const source = `exports.routeEvent = async ({ topic, context: { environmentId } }) => {
      const url = process.env.AGENT_INTERNAL_URL + '/v1/events'
      const headers = { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN, 'content-type': 'application/json' }
      const body = { topic: 'shop:paid', domain: 'shop', context: { environmentId }, payload: {} }
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(await response.text())
    }`
    const { environmentId } = platform
    await platform.wharf.agents.create({ topics: ['shop:confirmed'], source }, { environmentId })
    const listener = createListener((on) => {
      on('shop:ordered', () => emit('shop:confirmed'))
      on(['shop:confirmed', 'shop:paid'], () => new Promise((resolve) => setTimeout(resolve, 50)))
    })
    mounted = await platform.mount(listener)
    await emit('shop:ordered')
    await platform.settle()
    expect(listTopics().sort()).toEqual(['shop:confirmed', 'shop:ordered', 'shop:paid'])
  })

  it.each([
    [
      '@wharf/listener',
      () => createListener((on) => on('shop:failed', () => Promise.reject(new Error('not connected')))),
    ],
    [
      '@flatfile/listener',
      () => Client.create((each) => each.on('shop:failed', () => Promise.reject(new Error('not connected')))),
    ],
  ])('throws the error of a handler of %s once', async (_, create) => {
    mounted = await platform.mount(create())
    await emit('shop:failed')
    await expect(platform.settle()).rejects.toThrow('not connected')
    await platform.settle()
    expect(mounted.handled).toMatchObject([{ handlers: [{ error: { message: 'not connected' } }] }])
  })

  it('leaves the error of a job to the job', async () => {
    const fail = () => Promise.reject(new Error('not connected'))
    mounted = await platform.mount(createListener((on) => on.job('workbook:submit', fail)))
    const { workbooks } = await platform.createSpace(PEOPLE)
    const job = { type: 'workbook', operation: 'submit', source: workbooks[0]!.id, trigger: 'immediate' } as const
    const { id } = await platform.wharf.jobs.create(job)
    await platform.settle()
    expect(await platform.wharf.jobs.get(id)).toMatchObject({ status: 'failed', info: 'not connected' })
  })

  it('names the events of handlers that do not end', async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    mounted = await platform.mount(createListener((on) => on('shop:slow', () => ended)))
    const { id } = await emit('shop:slow')
    await waitUntil(() =>
      platform.settle({ timeoutMs: 200 }).then(
        () => false,
        (error: Error) => error.message.includes(`shop:slow ${id}`),
      ),
    )
    end()
    await platform.settle()
  })
})

describe('a platform', () => {
  it.each(['left.mjs', 'left.cjs'])('ends with the process of %s, even if that is killed', async (name) => {
    const load = name.endsWith('.cjs') ? "require('@wharf/testing')" : "await import('@wharf/testing')"
    writeFileSync(
      join(project, name),
      `const run = async () => {
        const { startPlatform } = ${load}
        const { url } = await startPlatform()
        console.log(url)
        setInterval(() => {}, 1000)
      }
      run()`,
    )
    const child = spawn(process.execPath, [name], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
    const url = String((await once(child.stdout!, 'data'))[0]).trim()
    expect((await fetch(url)).status).toBe(200)
    child.kill('SIGKILL')
    await waitUntil(() =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    )
  })

  it('has the variables that plugins read', () => {
    expect(platform.variables).toMatchObject({
      FLATFILE_API_URL: `${platform.url}/api`,
      FLATFILE_API_KEY: platform.token,
      WHARF_URL: platform.url,
    })
  })
})

describe('the pages', () => {
  it('show tests that pass and have correct types', () => {
    const blocks = PAGES.flatMap(readBlocks).filter(({ text }) => text.includes("from '@wharf/testing'"))
    expect(blocks).toHaveLength(PAGES.length)
    for (const [index, { text }] of blocks.entries()) writeFileSync(join(project, `page-${index}.test.ts`), text)
    const compilerOptions = { module: 'nodenext', target: 'es2023', lib: ['es2023', 'esnext.disposable'], strict: true }
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { ...compilerOptions, types: ['node'], noEmit: true },
        include: ['*.test.ts'],
      }),
    )
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
    execFileSync(process.execPath, ['../node_modules/typescript/bin/tsc'], { cwd: project, stdio: 'inherit' })
    const run = spawnSync(process.execPath, ['../node_modules/vitest/vitest.mjs', 'run'], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(run.status, run.stdout + run.stderr).toBe(0)
    expect(run.stdout).toMatch(/2 passed/)
  }, 120_000)

  it('say how to pack and install it', () => {
    const readme = readFileSync(PAGES[0]!, 'utf8')
    expect(readme).toContain(`npm pack ./packages/{${PACKAGES}}\n`)
    for (const name of PACKAGES) expect(existsSync(join(project, 'node_modules/@wharf', name)), name).toBe(true)
  })
})
