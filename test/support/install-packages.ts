/** Packs packages of this repository as they would be published, and installs them into an empty project. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Project {
  root: string
  project: string
  dependencies: string[]
  remove(): void
}

interface Packing {
  /** Packages whose sources are bundled into those that are installed. */
  bundled?: readonly string[]
  install: readonly string[]
}

export function runNpm(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

const PLATFORM = 'platform'

/** Packages are built in a copy, because others read and build `dist` of the original at the same time. */
export function installPackages({ install, bundled = [] }: Packing): Project {
  const root = mkdtempSync(join(tmpdir(), `wharf-${install[0]}-`))
  const project = join(root, 'program')
  for (const name of [...install, ...bundled])
    cpSync(`packages/${name}`, join(root, 'packages', name), {
      recursive: true,
      filter: (path) => !/^packages\/[^/]+\/(dist|test)$/.test(path),
    })
  for (const file of ['tsconfig.json', 'packages/build-library.mjs']) cpSync(file, join(root, file))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const packed = install.flatMap((name) => {
    if (name !== PLATFORM) return pack(root, root, `./packages/${name}`)
    buildPlatform(join(root, 'packages', name, 'dist'))
    return pack(root, root, `./packages/${name}`, '--ignore-scripts')
  })
  const dependencies = packDependencies(root, install)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "program", "private": true }')
  runNpm(project, 'install', ...packed, ...dependencies)
  return { root, project, dependencies, remove: () => rmSync(root, { recursive: true, force: true }) }
}

const buildPlatform = (dist: string) =>
  execFileSync(process.execPath, ['--import', 'tsx', 'packages/platform/build.ts', dist], { stdio: 'pipe' })

const pack = (cwd: string, to: string, ...args: string[]): string[] =>
  runNpm(cwd, 'pack', ...args, '--pack-destination', to)
    .trim()
    .split('\n')
    .filter((line) => line.endsWith('.tgz'))
    .map((file) => join(to, file))

/** `npm ci` caches no list of versions, so dependencies are packed from node_modules. */
function packDependencies(root: string, names: readonly string[]): string[] {
  const folders = new Map<string, string>()
  const add = (folder: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = [`${folder}/node_modules/${name}`, `./node_modules/${name}`].find(existsSync)
      // Optional ones are installed only for the systems they are made for.
      if (name.startsWith('@wharf/') || folders.has(name) || (!found && name in optionalDependencies)) continue
      folders.set(name, found!)
      add(found!)
    }
  }
  for (const name of names) add(`packages/${name}`)
  if (folders.size === 0) return []
  return pack(resolve('.'), root, ...folders.values(), '--ignore-scripts')
}
