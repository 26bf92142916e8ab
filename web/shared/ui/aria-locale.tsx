import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useTranslation } from '../texts/texts.tsx'

/** The chosen language for react-aria. The region of the browser decides on which day a week starts. */
export function AriaLocale({ children }: { children: ReactNode }) {
  const { language } = useTranslation()
  const locale = navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
  return <I18nProvider locale={locale}>{children}</I18nProvider>
}
