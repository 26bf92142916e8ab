import { endSession } from '../api/session.ts'
import { useTranslation } from '../texts/texts.tsx'
import { ColorSchemeChoice } from './color-scheme-choice.tsx'
import { Button } from './controls.tsx'
import { LanguageChoice } from './language.tsx'

/** The end of each sidebar: what a user chooses for all pages, and signing out. */
export function Preferences() {
  const { t } = useTranslation()
  return (
    <>
      <LanguageChoice />
      <ColorSchemeChoice />
      <Button kind="ghost" onClick={() => endSession()}>
        {t('signOut')}
      </Button>
    </>
  )
}
