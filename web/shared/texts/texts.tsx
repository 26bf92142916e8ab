/** Translations and number formats. A missing text is a type error. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { formatText, numberFormat, type Values } from '../../../schemas/messages/format.ts'
import type { Translations } from '../messages/translate.ts'
import { createValueStore } from '../storage.ts'
import { Loading } from '../ui/loading.tsx'
import { isRightToLeft } from './direction.ts'
import type { TextKey, Texts } from './keys.ts'

export type { TextKey } from './keys.ts'

export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES

const LOADERS: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
  es: () => import('./es.ts'),
  ar: () => import('./ar.ts'),
}
/** The API's messages are English already. */
const TRANSLATION_LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ default: Translations }>> = {
  de: () => import('../messages/de/index.ts'),
  fr: () => import('../messages/fr/index.ts'),
  es: () => import('../messages/es/index.ts'),
  ar: () => import('../messages/ar/index.ts'),
}
const LANGUAGE_STORE = createValueStore(() => localStorage, 'wharf.language')

export interface I18n {
  language: Language
  chooseLanguage(language: Language): void
  /** The text with each `{name}` replaced. `count` chooses its plural form. */
  t(key: TextKey, values?: Values): string
  translate(message: string): string
  number(value: number): string
  percent(part: number): string
  date(time: string | undefined): string
  /** Such as "5 minutes ago". */
  ago(time: string): string
  bytes(count: number): string
  duration(milliseconds: number): string
}

const Context = createContext<I18n | undefined>(undefined)

export function useTranslation(): I18n {
  const i18n = useContext(Context)
  if (!i18n) throw new Error('Texts are used outside of TextsProvider.')
  return i18n
}

const isLanguage = (text: string | null | undefined): text is Language => text != null && Object.hasOwn(LANGUAGES, text)

const getBaseLanguage = (tag: string): string | undefined => tag.split('-')[0]

/** A page that embeds the importer names its language in the address of the frame. */
function getPreferredLanguage(): Language {
  const requestedLanguage = getBaseLanguage(new URLSearchParams(location.search).get('language') ?? '')
  if (isLanguage(requestedLanguage)) return requestedLanguage
  const storedLanguage = LANGUAGE_STORE.get()
  if (isLanguage(storedLanguage)) return storedLanguage
  return navigator.languages.map(getBaseLanguage).find(isLanguage) ?? 'en'
}

interface Loaded {
  language: Language
  texts: Texts
  translate(message: string): string
}

async function loadTexts(language: Language): Promise<Loaded> {
  const [{ default: texts }, translate] = await Promise.all([LOADERS[language](), loadTranslator(language)])
  return { language, texts, translate }
}

async function loadTranslator(language: Language): Promise<(message: string) => string> {
  if (language === 'en') return (message) => message
  const [{ createTranslator }, { default: translations }] = await Promise.all([
    import('../messages/translate.ts'),
    TRANSLATION_LOADERS[language](),
  ])
  return createTranslator(translations, language)
}

let preloadedTexts: Loaded | undefined

export async function preloadTexts(): Promise<void> {
  preloadedTexts = await loadTexts(getPreferredLanguage()).catch(() => undefined)
}

export function I18nProvider({ children }: { children: ReactNode }) {
  const [loaded, setLoaded] = useState(preloadedTexts)
  const [language, setLanguage] = useState(() => loaded?.language ?? getPreferredLanguage())
  useEffect(() => {
    if (loaded?.language === language) return
    let isCurrent = true
    void loadTexts(language).then((texts) => isCurrent && setLoaded(texts))
    return () => {
      isCurrent = false
    }
  }, [language, loaded])
  const i18n = useMemo(() => loaded && createI18n(loaded, setLanguage), [loaded])
  useEffect(() => {
    if (!loaded) return
    document.documentElement.lang = loaded.language
    document.documentElement.dir = isRightToLeft(loaded.language) ? 'rtl' : 'ltr'
  }, [loaded])
  if (!i18n) return <Loading />
  return <Context.Provider value={i18n}>{children}</Context.Provider>
}

function createI18n({ language, texts, translate }: Loaded, onLanguageChange: (language: Language) => void): I18n {
  // Lazy: creating a formatter is slow, and the first screen has no dates.
  const dates = memoize(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }))
  return {
    language,
    chooseLanguage(next) {
      LANGUAGE_STORE.set(next)
      onLanguageChange(next)
    },
    t: (key, values = {}) => formatText(texts[key], values, language),
    translate,
    number: (value) => numberFormat(language).format(value),
    percent: (part) => new Intl.NumberFormat(language, { style: 'percent' }).format(part),
    date: (time) => (time ? dates().format(new Date(time)).replace(/\s/g, '\u00a0') : ''),
    ago: (time) => formatAgo(language, time),
    bytes: (count) => formatBytes(language, count),
    duration: (milliseconds) => formatDuration(language, milliseconds),
  }
}

function memoize<T>(create: () => T): () => T {
  let created: T | undefined
  return () => {
    created ??= create()
    return created
  }
}

const STEPS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

function formatAgo(language: Language, time: string): string {
  const seconds = Math.max(0, (Date.now() - Date.parse(time)) / 1000)
  const step = STEPS.find((larger) => seconds >= larger.seconds)
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return step ? format.format(-Math.floor(seconds / step.seconds), step.unit) : format.format(0, 'second')
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

function formatDuration(language: Language, milliseconds: number): string {
  if (milliseconds < SECOND_MS) return formatUnit(language, milliseconds, 'millisecond')
  if (milliseconds < MINUTE_MS) return formatUnit(language, milliseconds / SECOND_MS, 'second')
  if (milliseconds < HOUR_MS) return formatUnit(language, milliseconds / MINUTE_MS, 'minute')
  return formatUnit(language, milliseconds / HOUR_MS, 'hour')
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function formatBytes(language: Language, count: number): string {
  const step = Math.min(UNITS.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
  return formatUnit(language, count / 1000 ** step, UNITS[step]!)
}

const formatUnit = (language: Language, value: number, unit: string): string =>
  new Intl.NumberFormat(language, {
    ...{ style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short' },
    maximumFractionDigits: 1,
  }).format(value)
