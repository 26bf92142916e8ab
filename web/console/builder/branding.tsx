import { Upload } from 'lucide-react'
import { useId } from 'react'
import { buildBrandVariables } from '../../shared/branding.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, CheckField, SelectField, TextArea, TextField } from '../../shared/ui/controls.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Draft } from './draft.ts'
import { readLogo } from './logo.ts'
import type { SpaceSettings } from './settings.ts'

const DEFAULT_COLOR = '#0b6170'

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
        <TextArea
          label={t('guestWelcome')}
          hint={t('guestWelcomeHint')}
          rows={3}
          value={settings.welcome ?? ''}
          onChange={(event) => set({ welcome: event.target.value })}
        />
        <ColorAndLogo settings={settings} onChange={onChange} />
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
      <Preview settings={settings} sheets={draft.sheets.map(({ name }) => name)} />
    </div>
  )
}

function ColorAndLogo({ settings, onChange }: Pick<Props, 'settings' | 'onChange'>) {
  const { t } = useTranslation()
  const id = useId()
  const { color, logo } = settings
  const choose = async (file: globalThis.File | undefined) => {
    if (!file) return
    try {
      onChange({ ...settings, logo: await readLogo(file) })
    } catch {
      toast(t('notAnImage'), 'error')
    }
  }
  return (
    <div className="color-and-logo">
      <div className="field">
        <label htmlFor={id}>{t('brandColor')}</label>
        <input
          id={id}
          type="color"
          value={color ?? DEFAULT_COLOR}
          onChange={(event) => onChange({ ...settings, color: event.target.value })}
        />
      </div>
      <div className="field">
        <span className="label">{t('logo')}</span>
        <div className="buttons">
          <label className="button plain">
            <Upload aria-hidden="true" />
            {t('chooseImage')}
            <input
              type="file"
              accept="image/*"
              className="visually-hidden"
              aria-label={t('logo')}
              onChange={(event) => void choose(event.target.files?.[0])}
            />
          </label>
          {logo && (
            <Button kind="ghost" onClick={() => onChange({ ...settings, logo: undefined })}>
              {t('removeLogo')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

function Preview({ settings, sheets }: { settings: SpaceSettings; sheets: string[] }) {
  const { t } = useTranslation()
  const { color, logo, name, welcome } = settings
  return (
    <figure className="preview" aria-label={t('lookPreview')}>
      <figcaption className="hint">{t('lookPreview')}</figcaption>
      <div className="preview-page" style={color ? buildBrandVariables(color) : undefined}>
        <div className="preview-head">
          {logo && <img src={logo} alt="" />}
          <strong dir="auto">{name || t('spaceName')}</strong>
        </div>
        <p dir="auto" className="preview-text">
          {welcome || t('guestWelcomeDefault')}
        </p>
        <ul>
          {sheets.map((sheet) => (
            <li key={sheet} dir="auto">
              {sheet}
            </li>
          ))}
        </ul>
        <span className="button primary">{t('chooseFiles')}</span>
      </div>
    </figure>
  )
}
