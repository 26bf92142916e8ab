import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { readSpaceBranding, withBranding } from '../../shared/branding.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type Space, usePath } from '../data.ts'
import { DeleteButton, useAction } from '../parts/actions.tsx'
import { BrandingForm } from '../parts/branding.tsx'
import { DangerZone } from '../parts/danger.tsx'
import { Section } from '../parts/page.tsx'
import { SpaceForm } from './form.tsx'

export function SpaceSettings({ space }: { space: Space }) {
  const { t } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const params = { path: { spaceId: space.id } }
  const setArchived = useAction(
    (archived: boolean) =>
      archived
        ? unwrap(api.POST('/api/v1/spaces/{spaceId}/archive', { params }))
        : unwrap(api.POST('/api/v1/spaces/{spaceId}/unarchive', { params })),
    ['space', 'spaces'],
  )
  return (
    <>
      <Section title={t('settings')}>
        <SpaceForm key={space.updatedAt} space={space} />
      </Section>
      <Section title={t('appearance')}>
        <BrandingForm
          key={`branding-${space.updatedAt}`}
          name={space.name}
          text={t('spaceBrandingText')}
          metadata={space.metadata}
          inherited={readSpaceBranding(space)}
          save={(branding) =>
            unwrap(
              api.PATCH('/api/v1/spaces/{spaceId}', {
                params,
                body: { metadata: withBranding(space.metadata, branding) },
              }),
            )
          }
          invalidates={['space', 'spaces']}
        />
      </Section>
      <DangerZone
        items={[
          {
            title: t('guestLink'),
            text: t('rotateLinkText'),
            action: (
              <DeleteButton
                name={space.name}
                label={t('rotateLink')}
                kind="danger"
                text={t('rotateLinkText')}
                onDelete={() => unwrap(api.POST('/api/v1/spaces/{spaceId}/guest-link/rotate', { params }))}
                onDone={() => toast(t('linkRotated'))}
                invalidates={['space']}
              />
            ),
          },
          {
            title: t(space.archivedAt ? 'unarchive' : 'archive'),
            text: t(space.archivedAt ? 'unarchiveText' : 'archiveText'),
            action: (
              <Button busy={setArchived.isPending} onClick={() => setArchived.mutate(!space.archivedAt)}>
                {t(space.archivedAt ? 'unarchive' : 'archive')}
              </Button>
            ),
          },
          {
            title: t('deleteSpace'),
            text: t('deleteSpaceText'),
            action: (
              <DeleteButton
                byName
                name={space.name || t('unnamed')}
                label={t('deleteSpace')}
                kind="danger"
                text={t('deleteForGood', { name: space.name })}
                onDelete={() => unwrap(api.DELETE('/api/v1/spaces/{spaceId}', { params }))}
                onDone={() => navigate(path('spaces'))}
                invalidates={['spaces']}
              />
            ),
          },
        ]}
      />
    </>
  )
}
