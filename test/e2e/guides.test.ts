/**
 * Every code block of README.md and the guides, in order: shell and TypeScript run against the platform, JSON is parsed. What cannot
 * run here stands behind `<!-- not run: why -->`, and is held to the npm scripts and files there are.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { mintAccount, server } from '../support/api.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const GUIDES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith('.md'),
)
const run = promisify(execFile)

interface Block {
  language: string
  text: string
  line: number
  notRun: boolean
}

function blocksOf(path: string): Block[] {
  const markdown = readFileSync(join(ROOT, path), 'utf8')
  return [...markdown.matchAll(/(<!-- not run: [^>]+ -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    language: found[2]!,
    text: found[3]!,
    line: markdown.slice(0, found.index).split('\n').length,
    notRun: found[1] !== undefined,
  }))
}

const scratch: string[] = []
afterAll(() => {
  for (const folder of scratch) rmSync(folder, { recursive: true, force: true })
})

/** A folder in the repository, where modules find its packages, and the listener driver by its published name. */
function folder(): string {
  const made = mkdtempSync(join(ROOT, 'test/.guide-'))
  scratch.push(made)
  writeFileSync(
    join(made, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        paths: { '@wharf/listener-driver': [join(ROOT, 'packages/listener-driver/src/index.ts')] },
      },
    }),
  )
  symlinkSync(join(ROOT, 'node_modules'), join(made, 'node_modules'))
  return made
}

/** One after the other: a shell block finds the variables and functions of those before it. */
async function runShell(cwd: string, text: string, env: NodeJS.ProcessEnv): Promise<void> {
  const script = `set -ea; if [ -f state ]; then . ./state; fi\n${text}\n{ export -p; declare -f; } > state`
  await run('bash', ['-c', script], { cwd, env, timeout: 60_000 })
}

async function runModule(cwd: string, text: string, env: NodeJS.ProcessEnv): Promise<void> {
  writeFileSync(join(cwd, 'block.ts'), text)
  await run(process.execPath, ['--import', 'tsx', 'block.ts'], { cwd, env, timeout: 60_000 })
}

/** Scripts and files a block names that are not there. */
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
  const blocks = blocksOf(path)

  it('has no block in a language nobody looks at', () => {
    const run = ['sh', 'ts', 'json', '']
    expect(blocks.filter(({ language, notRun }) => !notRun && !run.includes(language))).toEqual([])
  })

  it('names scripts and files that are there', () => {
    expect(blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => missing(text))).toEqual([])
  })

  it.runIf(blocks.length > 0)('runs as it stands', { timeout: 240_000 }, async () => {
    const { secretKey } = await mintAccount()
    const { baseUrl } = server()
    const own = { KEY: secretKey, URL: `${baseUrl}/v1`, FLATFILE_API_KEY: secretKey, FLATFILE_API_URL: baseUrl }
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...own,
      AGENT_INTERNAL_URL: baseUrl,
      FLATFILE_BEARER_TOKEN: secretKey,
    }
    const cwd = folder()
    for (const { language, text, line, notRun } of blocks) {
      if (notRun || language === '') continue
      try {
        if (language === 'sh') await runShell(cwd, text, env)
        else if (language === 'ts') await runModule(cwd, text, env)
        else JSON.parse(text)
      } catch (error) {
        const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
        throw new Error(`${path}:${line}: ${message}\n${stdout}\n${stderr}`)
      }
    }
  })
})
