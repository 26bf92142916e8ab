import { Wharf } from '../../sdk/src/index.ts'
import { readSettings } from './settings.ts'

export function createClient(): Wharf {
  const { url, token } = readSettings()
  return new Wharf({ baseUrl: url, token })
}
