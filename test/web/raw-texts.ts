import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, Page } from 'playwright-core'
import type { Text } from '../../schemas/messages/format.ts'
import { createTranslator, type Translations } from '../../web/shared/messages/translate.ts'
import en from '../../web/shared/texts/en.ts'

interface Shown {
  text: string
  where: string
}

const CODE = 'code, pre, kbd, textarea, script, style, noscript, .prose'

const NAMES =
  /^(Wharf|API|APIs|CLI|SDK|CSV|TSV|XLSX|JSON|JSONL|XML|PDF|ZIP|Ctrl|HTTP|HTTPS|URL|URLs|SSO|OIDC|AWS|SQL|UTF|POST|GET|PUT|PATCH|DELETE|English|Deutsch|Français|Español|utf-|windows-|shift|jis|JavaScript|TypeScript|Node|React|npm|npx|KB|MB|GB)$/

const PAGES_WITH_TOPICS = /\/(?:events|webhooks|agents)(?:\/|\?|$)/

const LATIN_WORDS = /\p{Script=Latin}[\p{Script=Latin}'’-]+/gu
const DIRECTION_MARKS = /[\u2066-\u2069\u200e\u200f]/g

const ID = /\bus_[a-z]+_[0-9A-Za-z]{8,}/
const TOPIC = /(?:^|\s|“)[a-z]+:[a-z][A-Za-z-]+(?:$|\s|”)/
const PLACEHOLDER = /\{\w+\}/
const NOTHING = /^(?:undefined|null|NaN|Invalid Date)$|\[object /
const TEXT_KEYS = new Set(Object.keys(en).filter((key) => /[A-Z]/.test(key)))

const MAX_BODY_MS = 2000

const received = new WeakMap<Page, Promise<string>[]>()

export function recordAnswers(page: Page): void {
  const bodies: Promise<string>[] = []
  received.set(page, bodies)
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/assets/') || response.request().resourceType() === 'document') return
    bodies.push(Promise.race([response.text().catch(() => ''), sleep(MAX_BODY_MS).then(() => '')]))
  })
}

export async function findRawTexts(page: Page, origin: string): Promise<string[]> {
  const data = (await Promise.all(received.get(page) ?? [])).join('\n')
  const frames = page.frames().filter((frame) => frame.url().startsWith(origin))
  return (await Promise.all(frames.map((frame) => findInFrame(frame, data)))).flat()
}

async function findInFrame(frame: Frame, data: string): Promise<string[]> {
  const { language, shown, own } = await readTexts(frame)
  const isForeign = language === 'en' ? () => false : createForeignCheck(await loadTexts(language), data + own)
  const hasTopics = PAGES_WITH_TOPICS.test(frame.url())
  const isRaw = (text: string) =>
    (ID.test(text) && !own.includes(text)) ||
    (!hasTopics && TOPIC.test(text)) ||
    NOTHING.test(text) ||
    TEXT_KEYS.has(text) ||
    (PLACEHOLDER.test(text) && !data.includes(text)) ||
    isForeign(text)
  return [...new Set(shown.filter(({ text }) => isRaw(text)).map(({ text, where }) => `raw text: ${text} (${where})`))]
}

const readTexts = (frame: Frame): Promise<{ language: string; shown: Shown[]; own: string }> =>
  frame.evaluate((code) => {
    const shown: { text: string; where: string }[] = []
    const readStorage = (): string[] => {
      try {
        return Object.values({ ...sessionStorage })
      } catch {
        return []
      }
    }
    const add = (text: string | null, element: Element, attribute = '') => {
      const trimmed = text?.replace(/[\u2066-\u2069\u200e\u200f]/g, '').trim()
      if (!trimmed) return
      const { className } = element
      const name = typeof className === 'string' && className ? `.${className.split(' ').join('.')}` : ''
      shown.push({ text: trimmed, where: element.localName + name + attribute })
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest(code)) continue
      if (!element.closest('option, canvas') && !element.checkVisibility()) continue
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) add(node.textContent, element)
      for (const name of ['aria-label', 'placeholder', 'alt', 'aria-description'])
        add(element.getAttribute(name), element, `[${name}]`)
    }
    const inputs = [...document.querySelectorAll('input')].map(({ value }) => value)
    const stored = readStorage()
    return { language: document.documentElement.lang, shown, own: [...inputs, ...stored].join('\n') }
  }, CODE)

type Check = (text: string) => boolean

interface LanguageTexts {
  language: string
  patterns: readonly RegExp[]
  words: ReadonlySet<string>
  translate(message: string): string
}

const loaded = new Map<string, Promise<LanguageTexts>>()

function loadTexts(language: string): Promise<LanguageTexts> {
  const known = loaded.get(language) ?? importTexts(language)
  loaded.set(language, known)
  return known
}

async function importTexts(language: string): Promise<LanguageTexts> {
  const [{ default: texts }, { default: messages }] = (await Promise.all([
    import(`../../web/shared/texts/${language}.ts`),
    import(`../../web/shared/messages/${language}/index.ts`),
  ])) as [{ default: Record<string, Text> }, { default: Translations }]
  return {
    language,
    patterns: Object.values(texts).flatMap(listPatterns),
    words: new Set(JSON.stringify([texts, messages]).match(LATIN_WORDS)),
    translate: createTranslator(messages, language),
  }
}

function createForeignCheck({ language, patterns, words, translate }: LanguageTexts, data: string): Check {
  const isSent = (text: string) => data.includes(JSON.stringify(text).slice(1, -1))
  const matches = (all: readonly RegExp[], text: string) => all.some((pattern) => pattern.test(text))
  const isEnglish: Check = (text) => matches(ENGLISH, text) && !matches(patterns, text) && !isSent(text)
  const isUntranslated: Check = (text) => translate(text).replace(DIRECTION_MARKS, '') !== text
  const isLatin: Check = (text) =>
    (text.match(LATIN_WORDS) ?? []).some((word) => !NAMES.test(word) && !words.has(word) && !isSent(word))
  const checks = language === 'ar' ? [isUntranslated, isEnglish, isLatin] : [isUntranslated, isEnglish]
  return (text) => checks.some((check) => check(text))
}

const listPatterns = (text: Text): RegExp[] =>
  (typeof text === 'string' ? [text] : Object.values(text))
    .filter((form) => form.replace(/\{\w+\}/g, '').replace(/\P{L}/gu, '').length > 2)
    .map(
      (form) =>
        new RegExp(
          `^${form
            .split(/\{\w+\}/)
            .map(escapeForPattern)
            .join('.+')}$`,
          's',
        ),
    )

const escapeForPattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const ENGLISH = Object.values<Text>(en).flatMap(listPatterns)
