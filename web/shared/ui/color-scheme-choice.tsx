import { Monitor, Moon, Sun } from 'lucide-react'
import { COLOR_SCHEMES, type ColorScheme, chooseColorScheme, useColorScheme } from '../color-scheme.ts'
import { type TextKey, useTranslation } from '../texts/texts.tsx'

const CHOICES: Record<ColorScheme, { label: TextKey; Icon: typeof Sun }> = {
  system: { label: 'colorSchemeSystem', Icon: Monitor },
  light: { label: 'colorSchemeLight', Icon: Sun },
  dark: { label: 'colorSchemeDark', Icon: Moon },
}

export function ColorSchemeChoice() {
  const { t } = useTranslation()
  const current = useColorScheme()
  return (
    <fieldset className="segments" aria-label={t('colorScheme')}>
      {COLOR_SCHEMES.map((scheme) => {
        const { label, Icon } = CHOICES[scheme]
        return (
          <button
            key={scheme}
            type="button"
            aria-label={t(label)}
            title={t(label)}
            aria-pressed={scheme === current}
            onClick={() => chooseColorScheme(scheme)}
          >
            <Icon aria-hidden="true" />
          </button>
        )
      })}
    </fieldset>
  )
}
