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

export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferred)
  const [loaded, setLoaded] = useState<{ language: Language; texts: Texts }>()
  useEffect(() => {
    let wanted = true
    void LOADERS[language]().then(({ default: texts }) => wanted && setLoaded({ language, texts }))
    return () => {
      wanted = false
    }
  }, [language])
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
  const numbers = new Intl.NumberFormat(language)
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return {
    language,
    choose(next) {
      KEPT.set(next)
      set(next)
    },
    t: (key, values) =>
      values ? texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)) : texts[key],
    number: (value) => numbers.format(value),
    // Not to be broken into its words.
    date: (time) => (time ? dates.format(new Date(time)).replace(/\s/g, '\u00a0') : ''),
    bytes: (count) => bytesIn(language, count),
  }
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function bytesIn(language: Language, count: number): string {
  const step = Math.min(UNITS.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
  const unit = UNITS[step]!
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, style).format(count / 1000 ** step)
}
