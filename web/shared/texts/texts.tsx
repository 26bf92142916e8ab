/** What the application says, in the language of who reads it; a text that a language lacks is an error of types. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { kept } from '../storage.ts'
import { Loading } from '../ui/loading.tsx'
import type { TextKey, Texts } from './keys.ts'

export type { TextKey } from './keys.ts'

/** In their own words. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES

const LOADERS: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
  es: () => import('./es.ts'),
  ar: () => import('./ar.ts'),
}
const KEPT = kept(() => localStorage, 'wharf.language')
const RIGHT_TO_LEFT = new Set<Language>(['ar'])

export interface Speech {
  language: Language
  choose(language: Language): void
  /** The text, with `{name}` replaced. */
  t(key: TextKey, values?: Record<string, string | number>): string
  number(value: number): string
  /** A time as ISO text. */
  date(time: string | undefined): string
  bytes(count: number): string
}

const Context = createContext<Speech | undefined>(undefined)

export function useTexts(): Speech {
  const speech = useContext(Context)
  if (!speech) throw new Error('Texts are used outside of TextsProvider.')
  return speech
}

const isLanguage = (text: string | null | undefined): text is Language => text != null && Object.hasOwn(LANGUAGES, text)

function preferred(): Language {
  const chosen = KEPT.get()
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
}

interface Loaded {
  language: Language
  texts: Texts
}

const load = async (language: Language): Promise<Loaded> => ({ language, texts: (await LOADERS[language]()).default })

let first: Loaded | undefined

/** Settles when the first screen has its texts, or cannot have them yet: so it is drawn once, not twice. */
export async function firstTexts(): Promise<void> {
  first = await load(preferred()).catch(() => undefined)
}

export function TextsProvider({ children }: { children: ReactNode }) {
  const [loaded, setLoaded] = useState(first)
  const [language, setLanguage] = useState(() => loaded?.language ?? preferred())
  useEffect(() => {
    if (loaded?.language === language) return
    let wanted = true
    void load(language).then((texts) => wanted && setLoaded(texts))
    return () => {
      wanted = false
    }
  }, [language, loaded])
  const speech = useMemo(() => loaded && speak(loaded.language, loaded.texts, setLanguage), [loaded])
  useEffect(() => {
    if (!loaded) return
    document.documentElement.lang = loaded.language
    document.documentElement.dir = RIGHT_TO_LEFT.has(loaded.language) ? 'rtl' : 'ltr'
  }, [loaded])
  if (!speech) return <Loading />
  return <Context.Provider value={speech}>{children}</Context.Provider>
}

function speak(language: Language, texts: Texts, set: (language: Language) => void): Speech {
  // A browser takes its time to make one: the first screen has neither numbers nor dates.
  const numbers = once(() => new Intl.NumberFormat(language))
  const dates = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }))
  return {
    language,
    choose(next) {
      KEPT.set(next)
      set(next)
    },
    t: (key, values) =>
      values ? texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)) : texts[key],
    number: (value) => numbers().format(value),
    // Not to be broken into its words.
    date: (time) => (time ? dates().format(new Date(time)).replace(/\s/g, '\u00a0') : ''),
    bytes: (count) => bytesIn(language, count),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function bytesIn(language: Language, count: number): string {
  const step = Math.min(UNITS.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
  const unit = UNITS[step]!
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, style).format(count / 1000 ** step)
}
