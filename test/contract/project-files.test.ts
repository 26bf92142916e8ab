import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readPackage, readPackages } from '../../scripts/release/packages.ts'
import { planRelease } from '../../scripts/release/plan.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>

interface Workflow {
  on: unknown
  permissions: unknown
  jobs: Record<string, { 'timeout-minutes'?: number; strategy?: { matrix: { part?: string[] } }; steps: Step[] }>
}

interface Step {
  run?: string
  uses?: string
  with?: Record<string, string>
}

const FOLDER = '.github/workflows'

describe.each(readdirSync(FOLDER))('the workflow %s', (name) => {
  const workflow = parse(read(`${FOLDER}/${name}`)) as Workflow
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  it('runs commands that people run, too', () => {
    for (const { run } of steps) {
      const [, script] = /npm run ([\w:-]+)/.exec(run ?? '') ?? []
      if (script) expect(Object.keys(scripts)).toContain(script)
      else if (run) expect(run).toMatch(/^(npm ci|\.ci\/run|gh release create .*)$/)
    }
    expect(steps.some(({ run }) => run) || name === 'docs.yml').toBe(true)
  })

  it('has a limit of time, and may only read the repository unless a job needs more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const job of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0)
  })

  it('uses actions of GitHub at a version', () => {
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
  })

  it('names existing parts and options', () => {
    const program = read('test/nightly.ts') + read('scripts/release.ts')
    for (const part of jobs.flatMap((job) => job.strategy?.matrix.part ?? [])) expect(program).toContain(`${part}: `)
    for (const { run } of steps)
      for (const [, option] of (run?.includes('npm run') ? run : '').matchAll(/ --([a-z]+)/g))
        expect(program).toMatch(new RegExp(`${option}: \\{ type:`))
  })
})

describe('the forms of .github', () => {
  it.each(['bug.yml', 'feature.yml'])('%s has labels for all fields, and requires one', (name) => {
    const { body } = parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as {
      body: { type: string; attributes: { label?: string }; validations?: { required: boolean } }[]
    }
    for (const { type, attributes } of body) if (type !== 'markdown') expect(attributes.label).toMatch(/\w/)
    expect(body.some(({ validations }) => validations?.required)).toBe(true)
  })

  it('update the packages of every folder with a lock', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as { updates: { directories?: string[] }[] }
    const folders = [
      '',
      'docs',
      'bench/duckdb',
      'localstack/offline',
      'test/mutation',
      'test/packages',
      'test/published',
    ]
    expect(folders.filter((folder) => !existsSync(`${folder || '.'}/package-lock.json`))).toEqual([])
    expect(updates[0]!.directories).toEqual(folders.map((folder) => `/${folder}`))
  })
})

describe('a release', () => {
  const packages = [
    { folder: '.', name: 'wharf', version: '1.2.3', private: true },
    { folder: 'packages/sdk', name: '@wharf/sdk', version: '1.2.3' },
  ]
  const changelog = '# Changelog\n\n## 1.2.3 (2026-12-01)\n\n### Added\n\n- A.\n\n## 1.2.2 (2026-11-01)\n\n- B.\n'

  it('publishes the public packages, with the section of the changelog as its notes', () => {
    expect(planRelease('v1.2.3', packages, changelog)).toEqual({
      notes: '### Added\n\n- A.',
      published: [packages[1]],
      problems: [],
    })
  })

  it.each([
    [
      'a tag that is not the version',
      'v1.2.4',
      changelog,
      [
        '. has version 1.2.3, not 1.2.4',
        'packages/sdk has version 1.2.3, not 1.2.4',
        'CHANGELOG.md has no section 1.2.4',
      ],
    ],
    [
      'a version that is called unreleased',
      'v1.2.3',
      changelog.replace('2026-12-01', 'unreleased'),
      ['CHANGELOG.md calls 1.2.3 unreleased: replace that with the date'],
    ],
  ])('is refused for %s', (_, tag, text, problems) =>
    expect(planRelease(tag, packages, text).problems).toEqual(problems),
  )

  it('has the same version in all packages of the repository', () => {
    const npm = [readPackage('.'), ...readPackages()].map(({ version }) => version)
    const [, python] = /^version = "(.+)"$/m.exec(read('packages/sdk-python/pyproject.toml')) ?? []
    expect(npm.length).toBeGreaterThan(4)
    expect(new Set([...npm, python]).size).toBe(1)
  })
})
