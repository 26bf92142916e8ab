/** Looks up countries by their names in several languages, from the runtime's CLDR data. */
import { compact } from './tokenize.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt']
const EXTRA_NAMES: Record<string, string> = {
  usa: 'US',
  unitedstatesofamerica: 'US',
  america: 'US',
  uk: 'GB',
  greatbritain: 'GB',
  england: 'GB',
  holland: 'NL',
  gbr: 'GB',
  deu: 'DE',
  fra: 'FR',
  ita: 'IT',
  esp: 'ES',
  nld: 'NL',
  aut: 'AT',
  che: 'CH',
  can: 'CA',
}

let codeByName: Map<string, string> | undefined

export function findCountryCode(name: string): string | undefined {
  codeByName ??= buildIndex()
  return codeByName.get(name)
}

function buildIndex(): Map<string, string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const index = new Map(Object.entries(EXTRA_NAMES))
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const code of codes) {
      const name = names.of(code)
      if (!name || Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue
      index.set(code.toLowerCase(), code)
      if (!index.has(compact(name))) index.set(compact(name), code)
    }
  }
  return index
}
