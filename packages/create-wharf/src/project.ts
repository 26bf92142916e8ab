/** Writes a new project. The build copies `template` to the program that calls it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }

const TEMPLATE = fileURLToPath(new URL('./template', import.meta.url))
/** npm leaves a file of this name out of packages. */
const RENAMED: Record<string, string> = { gitignore: '.gitignore' }

const OWN = { dependencies: ['listener', 'record-hook', 'sdk'], devDependencies: ['cli', 'platform', 'testing'] }
const OTHERS = { '@types/node': '^20.19.0', typescript: '^6.0.0', vitest: '^4.1.0' }

export class ProjectError extends Error {}

export interface ProjectOptions {
  name?: string | undefined
  /** A folder with packed files of the packages of Wharf, instead of a registry. */
  packages?: string | undefined
}

export interface Project {
  name: string
  folder: string
  files: string[]
}

/** @throws ProjectError if the name is not valid, a file exists, or a package is missing; nothing is written then */
export function createProject(folder: string, { name, packages }: ProjectOptions = {}): Project {
  const projectName = name ?? toPackageName(resolve(folder))
  if (!/^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/.test(projectName) || projectName.length > 214)
    throw new ProjectError(`"${projectName}" is not a valid name of a package: use lower-case letters, digits and "-".`)
  const files = readTemplate(projectName)
  files.set('package.json', renderPackageJson(folder, projectName, packages))
  const existing = [...files.keys()].filter((path) => existsSync(join(folder, path)))
  if (existing.length > 0)
    throw new ProjectError(`These files exist already: ${existing.join(', ')}. Nothing was written.`)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { name: projectName, folder, files: [...files.keys()].sort() }
}

const toPackageName = (folder: string): string =>
  folder
    .split(/[/\\]/)
    .at(-1)!
    .toLowerCase()
    .replace(/[^a-z0-9.~-]+/g, '-')
    .replace(/^[-.]+|-+$/g, '')

function readTemplate(name: string): Map<string, string> {
  const paths = readdirSync(TEMPLATE, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(TEMPLATE, path)).isFile(),
  )
  return new Map(
    paths.map((path) => [
      RENAMED[path] ?? path.replaceAll('\\', '/'),
      readFileSync(join(TEMPLATE, path), 'utf8').replaceAll('my-import', name),
    ]),
  )
}

function renderPackageJson(folder: string, name: string, packages: string | undefined): string {
  const resolveVersions = (names: readonly string[]) =>
    Object.fromEntries(names.map((own) => [`@wharf/${own}`, findVersion(folder, own, packages)]))
  const content = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: { dev: 'wharf dev', test: 'vitest run', check: 'tsc', deploy: 'wharf deploy' },
    dependencies: resolveVersions(OWN.dependencies),
    devDependencies: { ...resolveVersions(OWN.devDependencies), ...OTHERS },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

function findVersion(folder: string, name: string, packages: string | undefined): string {
  if (packages === undefined) return `^${packageJson.version}`
  const file = join(packages, `wharf-${name}-${packageJson.version}.tgz`)
  if (!existsSync(file)) throw new ProjectError(`${file} does not exist. Pack it: npm pack ./packages/${name}`)
  return `file:${relative(resolve(folder), resolve(file)).replaceAll('\\', '/')}`
}
