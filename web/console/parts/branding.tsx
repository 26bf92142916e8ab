/** How guests see a space: welcome text, color and logo, with a preview. */
import { useMutation } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { type Branding, buildBrandVariables, readBranding } from '../../shared/branding.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextArea } from '../../shared/ui/controls.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { useRefresh } from './actions.tsx'
import { readLogo } from './logo.ts'
import './branding.css'

const DEFAULT_COLOR = '#0b6170'

interface FieldsProps {
  branding: Branding
  onChange(branding: Branding): void
}

interface FormProps {
  name: string
  text: string
  metadata: unknown
  /** Applies where nothing is chosen. */
  inherited?: Branding
  save(branding: Branding): Promise<unknown>
  invalidates: readonly string[]
}

export function BrandingForm({ name, text, metadata, inherited, save, invalidates }: FormProps) {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const [branding, setBranding] = useState(() => readBranding(metadata))
  const run = useMutation({
    mutationFn: () => save(branding),
    onSuccess() {
      refresh(...invalidates)
      toast(t('saved'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  const shown = {
    color: branding.color ?? inherited?.color,
    logo: branding.logo ?? inherited?.logo,
    welcome: branding.welcome || inherited?.welcome,
  }
  return (
    <div className="branding">
      <form className="card" onSubmit={submit}>
        <p className="muted form-text">{text}</p>
        {run.error && <ErrorNotice error={run.error} />}
        <BrandingFields branding={branding} onChange={setBranding} />
        <div className="actions">
          <Button type="submit" kind="primary" busy={run.isPending}>
            {t('saveLook')}
          </Button>
        </div>
      </form>
      <BrandingPreview branding={shown} name={name} />
    </div>
  )
}

export function BrandingFields({ branding, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextArea
        label={t('guestWelcome')}
        hint={t('guestWelcomeHint')}
        rows={3}
        value={branding.welcome ?? ''}
        onChange={(event) => onChange({ ...branding, welcome: event.target.value })}
      />
      <ColorAndLogo branding={branding} onChange={onChange} />
    </>
  )
}

function ColorAndLogo({ branding, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const id = useId()
  const { color, logo } = branding
  const choose = async (file: globalThis.File | undefined) => {
    if (!file) return
    try {
      onChange({ ...branding, logo: await readLogo(file) })
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
          onChange={(event) => onChange({ ...branding, color: event.target.value })}
        />
        {color && (
          <Button kind="ghost" onClick={() => onChange({ ...branding, color: undefined })}>
            {t('standardColor')}
          </Button>
        )}
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
            <Button kind="ghost" onClick={() => onChange({ ...branding, logo: undefined })}>
              {t('removeLogo')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

interface PreviewProps {
  branding: Branding
  name: string
  sheets?: readonly string[]
}

export function BrandingPreview({ branding, name, sheets = [] }: PreviewProps) {
  const { t } = useTranslation()
  const { color, logo, welcome } = branding
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
