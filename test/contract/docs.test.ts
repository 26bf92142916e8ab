import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listDocs } from '../../scripts/docs/pages.ts'
import { ROOT } from '../support/build-package.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const pages = ['README.md', 'CONTRIBUTING.md', ...listDocs()]
const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>
const findProgram = (script: string, name: string): string => {
  const [, file = ''] = /(\S+\.ts)\b/.exec(scripts[script]!) ?? []
  const named = file.replace('.ts', `/${name}.ts`)
  return existsSync(join(ROOT, named)) ? named : file
}
const commandsOf = (text: string) =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block!.split('\n').flatMap((line) => line.replace(/\s+#.*$/, '').trim() || []),
  )

describe.each(pages)('%s', (page) => {
  const text = read(page)

  it('runs existing scripts with options they accept', () => {
    for (const command of commandsOf(text)) {
      const [, name, rest = ''] = /npm run ([\w:-]+)(?: -- (.*))?/.exec(command) ?? []
      if (!name) continue
      expect(Object.keys(scripts), command).toContain(name)
      const program = findProgram(name, rest.split(' ')[0]!)
      for (const [, option] of rest.matchAll(/--([\w-]+)/g))
        expect(read(program), `${command}: ${option}`).toMatch(new RegExp(`['"]?${option}['"]?: \\{ type:`))
    }
  })

  it('names existing scripts', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  it('uses existing files', () => {
    for (const command of commandsOf(text))
      for (const [path] of command.matchAll(/\b[\w./-]+\.(?:yml|ts|json)\b(?!\()/g))
        expect(existsSync(join(ROOT, path)), path).toBe(true)
    for (const [, path] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
      if (!path!.startsWith('http')) expect(existsSync(join(ROOT, dirname(page), path!)), path).toBe(true)
  })

  it('names existing endpoints', () => {
    const paths = Object.entries(JSON.parse(read('schemas/generated/openapi.json')).paths as Record<string, object>)
    const known = new Set(
      paths.flatMap(([path, methods]) => Object.keys(methods).map((each) => `${each.toUpperCase()} ${path}`)),
    )
    for (const [, method, path] of text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`?\s]*)/g)) {
      const whole = path!.startsWith('/api/') || path!.startsWith('/health') ? path : `/api/v1${path}`
      expect([...known], `${method} ${path}`).toContain(`${method} ${whole}`)
    }
  })
})

it('docs/operations/self-hosting.md names every variable of a deployment, with its default', () => {
  const text = read('docs/operations/self-hosting.md')
  const deployed = read('serverless.yml') + read('functions/permissions.yml')
  const own = new Set(['POWERTOOLS_METRICS_DISABLED'])
  const taken = new Set([...deployed.matchAll(/\$\{(?:opt:\w+, )?env:([A-Z_]+)/g)].map(([, name]) => name!))
  taken.add('AWS_REGION')
  for (const name of taken) if (!own.has(name)) expect(text, name).toContain(`\`${name}\``)
  const table = [...text.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names]) => names!.match(/[A-Z_]+/g)!)
  for (const name of table) expect([...taken], name).toContain(name)
})

it('docs/architecture.md names existing files for at least twenty questions', () => {
  const paths = [...read('docs/architecture.md').matchAll(/^\| [^|]+\? \| `([^`]+)` \|$/gm)].map(([, path]) => path!)
  expect(paths.length).toBeGreaterThanOrEqual(20)
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

it('CONTRIBUTING.md describes every script of package.json', () => {
  const text = read('CONTRIBUTING.md')
  const name = (script: string) => (['start', 'test'].includes(script) ? `npm ${script}` : `npm run ${script}`)
  expect(Object.keys(scripts).filter((script) => !text.includes(`| \`${name(script)}\` |`))).toEqual([])
})

it('commands that install a package name the version the tests use', () => {
  const texts = pages.map(read).join('\n')
  const named = [...texts.matchAll(/(?<=\s)((?:@flatfile\/)?[a-z-]+)@(\d+\.\d+\.\d+)/g)]
  expect(named.map(([, name]) => name)).toEqual(expect.arrayContaining(['@flatfile/api', 'flatfile']))
  const versions = ['package.json', 'test/published/package.json'].map((path) => JSON.parse(read(path)))
  const installed = Object.assign({}, ...versions.flatMap((each) => [each.devDependencies, each.dependencies]))
  for (const [text, name, version] of named) expect(installed[name!], text).toBe(version)
})

it('programs import the SDK by name: its default import is undefined or a type error in bundled modules', () => {
  const texts = ['packages/listener-driver/README.md', ...pages].map(read).join('\n')
  expect(texts).toContain("import { FlatfileClient } from '@flatfile/api'")
  expect(texts).not.toMatch(/import \w+ from '@flatfile\/api'/)
})

it('an idle month costs what README.md states', () => {
  const cost = read('docs/operations/cost.md')
  const idle = Number(/^\| an idle platform, per month .*\*\*\$([\d.]+)\*\* \|$/m.exec(cost)?.[1])
  const [, key, secret] = /\$([\d.]+) a month for its key; without .* \$([\d.]+) for each secret/.exec(cost) ?? []
  expect(read('README.md')).toContain('idle month costs [less than two dollars](docs/operations/cost.md)')
  expect(idle + Number(key) + 2 * Number(secret)).toBeLessThan(2)
  expect(idle).toBeGreaterThan(0)
})

it('localstack/compose.yml starts the clouds in the versions of the tests, MiniStack without its gaps', async () => {
  const { MINISTACK_VERSION } = await import('../support/ministack.ts')
  const compose = read('localstack/compose.yml')
  const localstack = /^\| {2}\| embedded \| LocalStack ([\d.]+) /m.exec(
    read('packages/local-cloud/conformance/results.md'),
  )?.[1]
  expect([...compose.matchAll(/image: (\S+)/g)].map(([, image]) => image)).toEqual([
    `ministackorg/ministack:${MINISTACK_VERSION}`,
    `localstack/localstack:${localstack}`,
  ])
  expect(compose).toContain('entrypoint: [python, /opt/ministack/start-ministack.py]')
  expect(compose).toContain('./start-ministack.py:/opt/ministack/start-ministack.py')
})
