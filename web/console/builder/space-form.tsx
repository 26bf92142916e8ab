import { useTranslation } from '../../shared/texts/texts.tsx'
import { CheckField, SelectField, TextField } from '../../shared/ui/controls.tsx'
import { BrandingFields, BrandingPreview } from '../parts/branding.tsx'
import type { Draft } from './draft.ts'
import type { SpaceSettings } from './settings.ts'

interface Props {
  draft: Draft
  settings: SpaceSettings
  onChange(settings: SpaceSettings): void
  onDraftChange(draft: Draft): void
}

export function SpaceForm({ draft, settings, onChange, onDraftChange }: Props) {
  const { t } = useTranslation()
  const set = (more: Partial<SpaceSettings>) => onChange({ ...settings, ...more })
  return (
    <div className="branding">
      <div className="card">
        <TextField
          label={t('spaceName')}
          hint={t('spaceNameHint')}
          required
          value={settings.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <BrandingFields branding={settings} onChange={(branding) => set(branding)} />
        <SelectField
          label={t('guestSignIn')}
          value={settings.guestAuthentication}
          options={[
            { value: 'shared_link', label: t('guestsBySharedLink') },
            { value: 'magic_link', label: t('guestsByEmail') },
            { value: '', label: t('sameAsEnvironment') },
          ]}
          onChange={(event) => set({ guestAuthentication: event.target.value as SpaceSettings['guestAuthentication'] })}
        />
        <fieldset>
          <legend>{t('submit')}</legend>
          <CheckField
            label={t('guestsSubmit')}
            checked={draft.canSubmit}
            onChange={(event) => onDraftChange({ ...draft, canSubmit: event.target.checked })}
          />
          {draft.canSubmit && (
            <CheckField
              label={t('onlyValidRows')}
              checked={draft.onlyValid}
              onChange={(event) => onDraftChange({ ...draft, onlyValid: event.target.checked })}
            />
          )}
          <p className="hint">{t('submitHint')}</p>
        </fieldset>
        <CheckField
          label={t('useForNewSpaces')}
          checked={settings.isDefault}
          onChange={(event) => set({ isDefault: event.target.checked })}
        />
      </div>
      <BrandingPreview branding={settings} name={settings.name} sheets={draft.sheets.map(({ name }) => name)} />
    </div>
  )
}
