import { Wharf } from '../../sdk/src/index.ts'
import { UsageError } from './exit-codes.ts'
import { readSettings } from './settings.ts'

export function createClient(): Wharf {
  const { url, token } = readSettings()
  return new Wharf({ baseUrl: url, token })
}

export async function findOnlyEnvironment(wharf: Wharf): Promise<string> {
  const { data } = await wharf.environments.list({ pageSize: 2 })
  if (data.length !== 1) throw new UsageError('Name the environment by --environment: the token is for several.')
  return data[0]!.id
}
