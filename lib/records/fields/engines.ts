/** The libraries behind `pattern` and `phone`, 90 KB compressed: loaded only for sheets that need them. */
import type { CountryCode } from 'libphonenumber-js/min'
import { MAX_MATCHED_CHARACTERS } from '../../../schemas/sheets/rules.ts'
import { lazy } from '../../core/lazy.ts'

const loadPatterns = lazy(() => import('re2js'))
const loadPhones = lazy(() => import('libphonenumber-js/min'))

export type EngineName = 'patterns' | 'phones'

let patterns: Awaited<ReturnType<typeof loadPatterns>> | undefined
let phones: Awaited<ReturnType<typeof loadPhones>> | undefined

export async function loadEngines(names: ReadonlySet<EngineName>): Promise<void> {
  if (names.has('patterns')) patterns ??= await loadPatterns()
  if (names.has('phones')) phones ??= await loadPhones()
}

function requireEngine<T>(engine: T | undefined): T {
  if (!engine) throw new Error('loadEngines must be called before values are validated')
  return engine
}

/** @throws Error with the reason if the pattern is invalid */
export function compilePattern(pattern: string, ignoreCase: boolean): { test(text: string): boolean; steps: number } {
  const { RE2JS } = requireEngine(patterns)
  const compile = (source: string) => RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  compile(pattern)
  // The free prefix keeps RE2JS from its one-pass matcher, which takes three times as long as its automaton.
  const compiled = compile(`(?s:.*?)(?:${pattern})`)
  return { test: (text) => compiled.test(text), steps: compiled.programSize() }
}

/** Compiles at first use. A stored pattern that no longer compiles matches nothing. */
export function createPatternTest(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  let test: ((text: string) => boolean) | undefined
  const compile = (): ((text: string) => boolean) => {
    try {
      return compilePattern(pattern, ignoreCase).test
    } catch (error) {
      if (!patterns) throw error
      return () => false
    }
  }
  return (text) => {
    if (text.length > MAX_MATCHED_CHARACTERS) return false
    test ??= compile()
    return test(text)
  }
}

export function findCountry(code: string): CountryCode | undefined {
  const country = code.trim().toUpperCase()
  return requireEngine(phones).isSupportedCountry(country) ? country : undefined
}

/** Without a country, only numbers that start with `+` and their country are valid. */
export function isPhoneNumber(text: string, country: string | undefined): boolean {
  const defaultCountry = country === undefined ? undefined : findCountry(country)
  const options = { extract: false, ...(defaultCountry ? { defaultCountry } : {}) } as const
  return requireEngine(phones).default(text, options)?.isValid() ?? false
}
