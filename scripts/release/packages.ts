import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { PackageVersion } from './plan.ts'

export const readPackage = (folder: string): PackageVersion => ({
  ...(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Omit<PackageVersion, 'folder'>),
  folder,
})

/** The packages of npm; packages/sdk-python is one of PyPI. */
export const readPackages = (): PackageVersion[] =>
  readdirSync('packages')
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(`${folder}/package.json`))
    .map(readPackage)
