/** Countries by their names in several languages, from what the runtime knows (CLDR). Pure. */
import { compact } from './words.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt']
/** Names in use that CLDR's are not. */
const FURTHER: Record<string, string> = {
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

/** The two-letter code of a country's name or code, given without spaces and accents; undefined for other texts. */
export function countryCodeOf(name: string): string | undefined {
  codeByName ??= load()
  return codeByName.get(name)
}

function load(): Map<string, string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const out = new Map(Object.entries(FURTHER))
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const code of codes) {
      const name = names.of(code)
      if (!name || Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue
      out.set(code.toLowerCase(), code)
      if (!out.has(compact(name))) out.set(compact(name), code)
    }
  }
  return out
}
