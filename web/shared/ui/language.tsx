import { LANGUAGES, type Language, useTexts } from '../texts/texts.tsx'
import { SelectField } from './controls.tsx'

export function LanguageChoice() {
  const { t, language, choose } = useTexts()
  const options = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))
  return (
    <SelectField
      hideLabel
      className="quiet"
      label={t('language')}
      options={options}
      value={language}
      onChange={(event) => choose(event.target.value as Language)}
    />
  )
}
