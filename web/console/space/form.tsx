/** The settings of a space, as a form on its page and in the dialog that makes one. */
import { useContext } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { type I18n, useTranslation } from '../../shared/texts/texts.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { EnvironmentContext, type Space } from '../data.ts'
import { readGuestsMayInvite, withGuestsMayInvite } from '../guests-invite.ts'
import { useRefresh } from '../parts/actions.tsx'
import { Form, FormDialog, type FormField } from '../parts/forms.tsx'

function buildFields({ t }: Pick<I18n, 't'>, space?: Space): FormField[] {
  const mayInvite = readGuestsMayInvite(space?.metadata)
  return [
    { name: 'name', label: t('name'), initial: space?.name },
    {
      name: 'guestAuthentication',
      label: t('guestSignIn'),
      optional: true,
      initial: space?.inheritsGuestAuthentication === false ? space.guestAuthentication : '',
      options: [
        { value: '', label: t('sameAsEnvironment') },
        { value: 'magic_link', label: t('magicLink') },
        { value: 'shared_link', label: t('sharedLink') },
      ],
    },
    {
      name: 'guestsInvite',
      label: t('guestsInvite'),
      optional: true,
      initial: mayInvite === undefined ? '' : String(mayInvite),
      options: [
        { value: '', label: t('sameAsEnvironment') },
        { value: 'true', label: t('guestsCanInvite') },
        { value: 'false', label: t('onlyTeamInvites') },
      ],
    },
  ]
}

const buildSettings = ({ name, guestAuthentication, guestsInvite }: Record<string, string>, metadata?: unknown) => ({
  name: name ?? '',
  guestAuthentication: (guestAuthentication || null) as 'magic_link' | null,
  metadata: withGuestsMayInvite(metadata, guestsInvite),
})

export function NewSpaceDialog({ onDone, onClose }: { onDone(space: Space): void; onClose(): void }) {
  const i18n = useTranslation()
  const environment = useContext(EnvironmentContext)
  const refresh = useRefresh()
  return (
    <FormDialog
      title={i18n.t('newSpace')}
      action={i18n.t('create')}
      fields={buildFields(i18n)}
      submit={async (values) => {
        const body = { ...buildSettings(values), environmentId: environment?.id, autoConfigure: true }
        return (await unwrap(api.POST('/api/v1/spaces', { body }))).data
      }}
      onDone={(space) => {
        refresh('spaces')
        onDone(space)
      }}
      onClose={onClose}
    />
  )
}

export function SpaceForm({ space }: { space: Space }) {
  const i18n = useTranslation()
  const refresh = useRefresh()
  const params = { path: { spaceId: space.id } }
  return (
    <div className="card settings-form">
      <Form
        action={i18n.t('save')}
        fields={buildFields(i18n, space)}
        submit={(values) =>
          unwrap(api.PATCH('/api/v1/spaces/{spaceId}', { params, body: buildSettings(values, space.metadata) }))
        }
        onDone={() => {
          refresh('space', 'spaces', 'resource')
          toast(i18n.t('saved'))
        }}
      />
    </div>
  )
}
