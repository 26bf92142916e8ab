/** Runs every code block of README.md and docs/. Of blocks after `<!-- not run: why -->`, only names are checked. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listDocs } from '../../scripts/docs/pages.ts'
import { installTools } from '../../scripts/install-tools.ts'
import { createTestAccount, getServer } from '../support/api.ts'
import { type Block, readBlocks } from '../support/doc-blocks.ts'
import { IS_LONG_RUN } from '../support/runs.ts'
import { findPasteProblems } from '../support/shells.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const GUIDES = ['README.md', ...listDocs()]
const PAGES = [...GUIDES, 'packages/listener-driver/README.md']

const SHELLS: { [name: string]: string[] } = { bash: ['--norc', '--noprofile', '-i'], zsh: ['-f', '-i'] }
const installed = Object.keys(SHELLS).filter((name) => spawnSync(name, ['-c', 'true']).status === 0)
/** Pages take turns, except at night: another test checks that their blocks mean the same to both shells. */
const listShells = (path: string): string[] =>
  installed.filter((_, at) => IS_LONG_RUN || at === GUIDES.indexOf(path) % installed.length)

beforeAll(() => installTools('test/published'), 120_000)

const scratch: string[] = []
afterAll(() => {
  for (const folder of scratch) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const made = mkdtempSync(join(ROOT, 'test/.guide-'))
  scratch.push(made)
  writeFileSync(
    join(made, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        paths: {
          '@wharf/listener': [join(ROOT, 'packages/listener/src/index.ts')],
          '@wharf/listener-driver': [join(ROOT, 'packages/listener-driver/src/index.ts')],
          '@wharf/sdk': [join(ROOT, 'packages/sdk/src/index.ts')],
          '@wharf/sdk/node': [join(ROOT, 'packages/sdk/src/node.ts')],
        },
      },
    }),
  )
  const plugin = 'node_modules/@flatfile/plugin-record-hook'
  mkdirSync(join(made, 'node_modules/@flatfile'), { recursive: true })
  symlinkSync(join(ROOT, 'test/published', plugin), join(made, plugin))
  return made
}

function typed(path: string, blocks: readonly Block[], cwd: string): string {
  const steps = blocks.map(({ language, text, line }) => {
    const place = `echo "at ${path}:${line}"\n`
    if (language === 'sh') return place + text
    const file = `block-${line}.ts`
    writeFileSync(join(cwd, file), text)
    return `${place}${process.execPath} --import tsx ${file}\n`
  })
  const kept = 'echo at the end\ntest "$KEY" = "$FLATFILE_API_KEY"\n'
  return ['set -e\n', ...steps, kept, 'exit 0\n'].join('')
}

async function paste(shell: string, text: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  // A separate process group, so that it takes no terminal and can be killed as a whole.
  const child = spawn(shell, SHELLS[shell]!, { cwd, env, detached: true })
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 110_000)
  let shown = ''
  const show = (chunk: Buffer) => (shown += chunk)
  child.stdout.on('data', show)
  child.stderr.on('data', show)
  child.stdin.end(text)
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  if (code !== 0) throw new Error(`${shell} ended with ${code}:\n${shown.slice(-6000)}`)
}

function missing(text: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name!).filter((name) => !(name in scripts))
  const files = [...text.matchAll(/\$PWD\/([\w./-]+)/g)]
    .map(([, path]) => path!)
    .filter((path) => !existsSync(join(ROOT, path)))
  return [...named, ...files]
}

describe.each(GUIDES)('%s', (path) => {
  const blocks = readBlocks(path)

  it('has no block in an unknown language', () => {
    const known = ['sh', 'ts', 'json', 'mermaid', '']
    expect(blocks.filter(({ language, notRun }) => !notRun && !known.includes(language))).toEqual([])
  })

  it('names existing scripts and files', () => {
    expect(blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => missing(text))).toEqual([])
  })

  it('has valid JSON', () => {
    for (const { text } of blocks.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(text)).not.toThrow()
  })

  const run = blocks.filter(({ language, notRun }) => !notRun && (language === 'sh' || language === 'ts'))
  it.runIf(run.length > 0).each(listShells(path))(
    'runs when it is pasted into %s',
    { timeout: 120_000 },
    async (shell) => {
      const { secretKey } = await createTestAccount()
      const { baseUrl } = getServer()
      const own = { KEY: secretKey, URL: `${baseUrl}/v1`, FLATFILE_API_KEY: secretKey, FLATFILE_API_URL: baseUrl }
      const env = {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...own,
        AGENT_INTERNAL_URL: baseUrl,
        FLATFILE_BEARER_TOKEN: secretKey,
      }
      const cwd = newFolder()
      await paste(shell, typed(path, run, cwd), cwd, env)
    },
  )
})

describe.each(PAGES)('shell blocks of %s', (path) => {
  it('mean the same to bash and zsh', () => {
    const blocks = readBlocks(path).filter(({ language }) => language === 'sh')
    expect(blocks.flatMap(({ text, line }) => findPasteProblems(text).map((problem) => `${line}, ${problem}`))).toEqual(
      [],
    )
  })
})

describe('a code block', () => {
  it.each([
    ['KEY=1    # the key `npm start` prints', ['a comment', 'a backtick', 'a backtick']],
    ['api / | data .sheets[0].id', ['an unquoted [']],
    ['api /agents?environmentId=$ENVIRONMENT', ['an unquoted ?']],
    ['SHEET=$(api /x -d \'{"a":\n[1]}\' | data .sheets[0].id)', ['an unquoted [']],
    ['status=1', ['the name status']],
    ['[ a == b ]', ['an unquoted [', 'a word that begins with =']],
  ])('is rejected: %s', (text, problems) => {
    const found = findPasteProblems(text)
    expect(found).toHaveLength(problems.length)
    for (const problem of problems) expect(found.join('\n')).toContain(problem)
  })

  it.each([
    `data() { node -pe "JSON.parse(require('fs').readFileSync(0)).data$1"; }`,
    `SHEET=$(api /workbooks -d '{"a":[{"b":"?"}],\n "c":"#"}' | data '.sheets[0].id')`,
    `curl "$URL$1" -H "Authorization: Bearer $KEY" "\${@:2}"`,
    `LINK=$(api / | sed -n 's/.*#token=\\([^ ]*\\).*/\\1/p' | head -1)`,
    `cat > agent.js <<'END'\n// a comment\nconst a = [b ? \`c\` : d]\nEND\napi /x`,
    `(KEY=$A; api "/x?y=\${B#*=}") | grep -q '"valid":true'`,
  ])('is accepted: %s', (text) => expect(findPasteProblems(text)).toEqual([]))
})
