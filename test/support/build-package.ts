/** Packages projects like this one with the Serverless Framework, without credentials, to test the template. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readStack } from '../../packages/local-cloud/src/stack.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
const SERVERLESS = createRequire(import.meta.url).resolve('osls/bin/serverless.js')
const SHARED = [
  'serverless.yml',
  'package.json',
  'functions/permissions.yml',
  'functions/alarms.yml',
  'scripts/serverless-bundles.cjs',
  'scripts/serverless-roles.cjs',
  'scripts/serverless-operations.cjs',
  'scripts/serverless-web.cjs',
  'localstack/deploy-plugin.cjs',
  'localstack/offline/plugin.cjs',
]
const run = promisify(execFile)

export interface Statement {
  Effect: string
  Action: string | string[]
  Resource: unknown
  Condition?: unknown
}
export interface CloudFormationResource {
  Type: string
  DeletionPolicy?: string
  // biome-ignore lint/suspicious/noExplicitAny: properties are read as they come
  Properties: Record<string, any>
}
export type Resources = Record<string, CloudFormationResource>

export type Sources = Record<string, string[]>

export function createProject(root: string, httpYaml: string, sources?: Sources): string {
  for (const file of SHARED) cpSync(join(ROOT, file), join(root, file))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'functions/http.yml'), httpYaml)
  mkdirSync(join(root, 'dist/packages'), { recursive: true })
  const keys = readStack({ root }).functions.map(({ key }) => key)
  for (const key of keys) writeFileSync(join(root, `dist/packages/${key}.zip`), 'empty')
  const bundledCode =
    sources ?? Object.fromEntries(keys.map((key) => [key, key === 'run-mutation' ? [] : ['lib/table/client.ts']]))
  writeFileSync(join(root, 'dist/packages/sources.json'), JSON.stringify(bundledCode))
  return root
}

export async function packageProject(root: string, more: Record<string, string> = {}): Promise<Resources> {
  // It keeps a validator of its settings there, which takes longer to make than the package.
  const env = { ...more, PATH: process.env.PATH, HOME: dirname(root), CI: 'true', SLS_NOTIFICATIONS_MODE: 'off' }
  await run(process.execPath, [SERVERLESS, 'package'], { cwd: root, env })
  const template = readFileSync(join(root, '.serverless/cloudformation-template-update-stack.json'), 'utf8')
  return (JSON.parse(template) as { Resources: Resources }).Resources
}

export const filterByType = (resources: Resources, type: string): CloudFormationResource[] =>
  Object.values(resources).filter((resource) => resource.Type === type)

export const getStatements = (role: CloudFormationResource): Statement[] =>
  role.Properties.Policies.flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
  )
