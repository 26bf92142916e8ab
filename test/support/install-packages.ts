/** Packs packages of this repository as they would be published, and installs them into an empty project. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Project {
  /** Contains `packages` and the project. */
  root: string
  project: string
  remove(): void
}

interface Packing {
  /** Packages whose sources are bundled into those that are installed. */
  bundled?: readonly string[]
  install: readonly string[]
}

export const runNpm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, encoding: 'utf8', stdio: 'pipe' })

/** Its build reads the whole repository. */
const BUILT_IN_PLACE = new Set(['platform'])

/** Most packages are built in a copy, because others read `dist` of the original at the same time. */
export function installPackages({ install, bundled = [] }: Packing): Project {
  const root = mkdtempSync(join(tmpdir(), `wharf-${install[0]}-`))
  const project = join(root, 'program')
  for (const name of [...install, ...bundled].filter((name) => !BUILT_IN_PLACE.has(name)))
    cpSync(`packages/${name}`, join(root, 'packages', name), {
      recursive: true,
      filter: (path) => !/\/(dist|test)$/.test(path),
    })
  cpSync('tsconfig.json', join(root, 'tsconfig.json'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  for (const name of install)
    runNpm(BUILT_IN_PLACE.has(name) ? resolve('.') : root, 'pack', `./packages/${name}`, '--pack-destination', root)
  const dependencies = packDependencies(root, install)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "program", "private": true }')
  runNpm(project, 'install', ...install.map((name) => join(root, `wharf-${name}-0.1.0.tgz`)), ...dependencies)
  return { root, project, remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** npm knows no versions of the registry if it has only run `npm ci`, so it gets files of what is installed here. */
function packDependencies(root: string, names: readonly string[]): string[] {
  const folders = new Map<string, string>()
  const add = (folder: string): void => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    for (const name of Object.keys(dependencies).filter((key) => !key.startsWith('@wharf/') && !folders.has(key))) {
      const nested = `${folder}/node_modules/${name}`
      folders.set(name, existsSync(nested) ? nested : `./node_modules/${name}`)
      add(folders.get(name)!)
    }
  }
  for (const name of names) add(`packages/${name}`)
  if (folders.size === 0) return []
  const packed = runNpm(resolve('.'), 'pack', ...folders.values(), '--ignore-scripts', '--pack-destination', root)
  return packed
    .trim()
    .split('\n')
    .map((file) => join(root, file))
}
