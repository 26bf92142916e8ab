/** Packs packages of this repository as they would be published, and installs them into an empty project. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar } from 'modern-tar/fs'
import { runOnce } from './run-once.ts'

export interface Project {
  root: string
  project: string
  dependencies: string[]
  remove(): void
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

export async function installPackages(names: readonly string[]): Promise<Project> {
  const root = mkdtempSync(join(tmpdir(), `wharf-${names[0]}-`))
  const project = join(root, 'program')
  // Programs find the tools of this repository above them, such as TypeScript.
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const bring = (file: string): string => {
    const copy = join(root, basename(file))
    copyFileSync(file, copy)
    return copy
  }
  const packed: string[] = []
  for (const name of names) packed.push(...(await packOnce(name)).map(bring))
  const dependencies = (await packDependencies(names)).map(bring)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "program", "private": true }')
  runNpm(project, 'install', ...packed, ...dependencies)
  return { root, project, dependencies, remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** Packages are built in a copy, because others read and build `dist` of the original at the same time. */
const packOnce = (name: string): Promise<string[]> =>
  runOnce(`packed-${name}`, (folder) => {
    cpSync('packages', join(folder, 'packages'), {
      recursive: true,
      filter: (path) => !/^packages\/[^/]+\/(dist|test|node_modules)$/.test(path),
    })
    cpSync('tsconfig.json', join(folder, 'tsconfig.json'))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    if (name !== PLATFORM) return pack(folder, folder, `./packages/${name}`)
    buildPlatform(join(folder, 'packages', name, 'dist'))
    return pack(folder, folder, `./packages/${name}`, '--ignore-scripts')
  })

const buildPlatform = (dist: string) =>
  execFileSync(process.execPath, ['--import', 'tsx', 'packages/platform/build.ts', dist], { stdio: 'pipe' })

const pack = (cwd: string, to: string, ...args: string[]): string[] =>
  runNpm(cwd, 'pack', ...args, '--pack-destination', to)
    .trim()
    .split('\n')
    .filter((line) => line.endsWith('.tgz'))
    .map((file) => join(to, file))

/** `npm ci` caches no list of versions, so dependencies are packed from node_modules. */
async function packDependencies(names: readonly string[]): Promise<string[]> {
  const packed: string[] = []
  for (const [name, folder] of findDependencies(names)) {
    const label = name.replace('/', '-')
    packed.push(await runOnce(`packed-${label}`, (to) => packInstalled(folder, join(to, `${label}.tgz`))))
  }
  return packed
}

/** Takes a tenth of the time of `npm pack`, and nothing is left to build or to leave out. */
async function packInstalled(folder: string, file: string): Promise<string> {
  const files = packTar(folder, {
    filter: (path) => !relative(folder, path).startsWith('node_modules'),
    map: (header) => ({ ...header, name: `package/${header.name}` }),
  })
  await pipeline(files, createGzip({ level: 1 }), createWriteStream(file))
  return file
}

function findDependencies(names: readonly string[]): Map<string, string> {
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
  return folders
}
