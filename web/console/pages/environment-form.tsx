import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { type I18n, useTranslation } from '../../shared/texts/texts.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Environment } from '../data.ts'
import { readGuestsMayInvite, withGuestsMayInvite } from '../guests-invite.ts'
import { useRefresh } from '../parts/actions.tsx'
import { Form, FormDialog, type FormField } from '../parts/forms.tsx'

const buildFields = ({ t }: Pick<I18n, 't'>, environment?: Environment): FormField[] => [
  { name: 'name', label: t('name'), initial: environment?.name },
  {
    name: 'isProd',
    label: t('kind'),
    initial: String(environment?.isProd ?? false),
    options: [
      { value: 'false', label: t('development') },
      { value: 'true', label: t('production') },
    ],
  },
  {
    name: 'guestAuthentication',
    label: t('guestSignIn'),
    initial: environment?.guestAuthentication,
    options: [
      { value: 'magic_link', label: t('magicLink') },
      { value: 'shared_link', label: t('sharedLink') },
    ],
  },
  {
    name: 'guestsInvite',
    label: t('guestsCanInvite'),
    type: 'switch',
    initial: String(readGuestsMayInvite(environment?.metadata) ?? true),
  },
  {
    name: 'allowedOrigins',
    label: t('allowedOrigins'),
    optional: true,
    initial: (environment?.allowedOrigins ?? []).join(' '),
    hint: t('allowedOriginsHint', { example: 'https://app.example.com' }),
  },
]

function buildBody(values: Record<string, string>, environment?: Environment) {
  const { name = '', isProd, guestAuthentication, guestsInvite, allowedOrigins = '' } = values
  const origins = allowedOrigins.split(/[\s,]+/).filter(Boolean)
  return {
    name,
    isProd: isProd === 'true',
    guestAuthentication: guestAuthentication as Environment['guestAuthentication'],
    metadata: withGuestsMayInvite(environment?.metadata, guestsInvite),
    allowedOrigins: origins.length > 0 ? origins : undefined,
  }
}

export function NewEnvironmentDialog({ onClose }: { onClose(): void }) {
  const i18n = useTranslation()
  const [, navigate] = useLocation()
  const refresh = useRefresh()
  return (
    <FormDialog
      title={i18n.t('newEnvironment')}
      action={i18n.t('create')}
      fields={buildFields(i18n)}
      submit={(values) => unwrap(api.POST('/api/v1/environments', { body: buildBody(values) }))}
      onDone={() => {
        refresh('environments')
        navigate('environments')
        onClose()
      }}
      onClose={onClose}
    />
  )
}

export function EnvironmentForm({ environment }: { environment: Environment }) {
  const i18n = useTranslation()
  const refresh = useRefresh()
  return (
    <div className="card settings-form">
      <Form
        action={i18n.t('save')}
        fields={buildFields(i18n, environment)}
        submit={(values) =>
          unwrap(
            api.PATCH('/api/v1/environments/{environmentId}', {
              params: { path: { environmentId: environment.id } },
              body: buildBody(values, environment),
            }),
          )
        }
        onDone={() => {
          refresh('environments', 'resource')
          toast(i18n.t('saved'))
        }}
      />
    </div>
  )
}
