import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmulatorUnavailableError, findPython, installPython, runFile } from './emulators.ts'
import { runOnce } from './run-once.ts'

export interface PythonClient {
  python: string
  env: { PATH: string; PYTHONPATH: string }
}

const project = readFileSync('packages/sdk-python/pyproject.toml', 'utf8')

const listRequirements = (name: string): string[] =>
  JSON.parse(new RegExp(`^${name} = (\\[.*\\])$`, 'm').exec(project)![1]!)

async function installRequirements(): Promise<string> {
  const requirements = [...listRequirements('requires'), ...listRequirements('dependencies')]
  const version = /openapi-python-client==([\d.]+)/.exec(project)![1]
  return join(await installPython(`wharf-sdk-python-${version}`, await findPython(11), requirements), 'bin')
}

/** A text says why it cannot be installed. */
export async function installPythonClient(): Promise<PythonClient | string> {
  const client = await runOnce('python-client', install)
  if (typeof client === 'string') console.warn(client)
  return client
}

async function install(root: string): Promise<PythonClient | string> {
  let bin: string
  try {
    bin = await installRequirements()
  } catch (error) {
    if (!(error instanceof EmulatorUnavailableError)) throw error
    return `NOT RUN: the Python client needs Python 3.11 or newer with venv, and PyPI: ${error.message}`
  }
  const python = join(bin, 'python')
  const folder = join(root, 'packages/sdk-python')
  const installed = join(root, 'installed')
  cpSync('packages/sdk-python', folder, { recursive: true, filter: (path) => !path.endsWith('/rest') })
  cpSync('schemas/generated/openapi.json', join(root, 'schemas/generated/openapi.json'))
  const pip = ['-m', 'pip', '-q', '--disable-pip-version-check']
  await runFile(python, [...pip, 'wheel', '--no-build-isolation', '--no-deps', '-w', join(root, 'wheels'), folder])
  const [wheel] = readdirSync(join(root, 'wheels'))
  await runFile(python, [...pip, 'install', '--no-deps', '--target', installed, join(root, 'wheels', wheel!)])
  return { python, env: { PATH: `${bin}:${process.env.PATH}`, PYTHONPATH: installed } }
}
