import { LANGUAGES, type Language, useTranslation } from '../texts/texts.tsx'
import { SelectField } from './controls.tsx'

export function LanguageChoice() {
  const { t, language, chooseLanguage } = useTranslation()
  const options = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))
  return (
    <SelectField
      hideLabel
      className="quiet"
      label={t('language')}
      options={options}
      value={language}
      onChange={(event) => chooseLanguage(event.target.value as Language)}
    />
  )
}
