import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useSession } from '../shared/api/session.ts'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Frame } from '../shared/ui/frame.tsx'
import { Empty, Loading, QueryView } from '../shared/ui/states.tsx'
import { useBrandColor } from './branding.tsx'
import { UnlessClipOnly } from './clips/clip-only-view.tsx'
import { DocumentPage } from './document.tsx'
import { FilesPage } from './files.tsx'
import { Steps } from './flow/steps.tsx'
import { useSpaceEvents } from './follow-space.ts'
import { Overview } from './overview.tsx'
import { type Space, spaceQuery, spacesQuery } from './queries.ts'
import { Sidebar } from './sidebar.tsx'
import './portal.css'

const SheetPage = lazy(() => import('./sheet/page.tsx'))
const ActivityPage = lazy(() => import('./activity/page.tsx'))
const AssistantPage = lazy(() => import('./assistant/page.tsx'))
const MappingPage = lazy(() => import('./mapping/page.tsx'))

export default function Portal({ spaceId }: { spaceId?: string }) {
  return spaceId ? <SpaceLoader spaceId={spaceId} /> : <FirstSpace />
}

function FirstSpace() {
  const { t } = useTranslation()
  const session = useSession()
  const spaces = useQuery(spacesQuery())
  if (session?.spaceId) return <Redirect to={`/s/${session.spaceId}`} replace />
  return (
    <QueryView query={spaces}>
      {({ data: [first] }) => (first ? <Redirect to={`/s/${first.id}`} replace /> : <Empty title={t('noSpaces')} />)}
    </QueryView>
  )
}

function SpaceLoader({ spaceId }: { spaceId: string }) {
  const space = useQuery(spaceQuery(spaceId))
  return <QueryView query={space}>{(loadedSpace) => <SpaceFrame space={loadedSpace} />}</QueryView>
}

export type Embedding = 'full' | 'wizard'

export function SpaceFrame({ space, embedded }: { space: Space; embedded?: Embedding }) {
  const { t } = useTranslation()
  const live = useSpaceEvents(space.id)
  useBrandColor(space, embedded !== undefined)
  useEffect(() => {
    document.title = `${space.name} · Wharf`
  }, [space.name])
  return (
    <Frame
      label={t('space')}
      title={space.name}
      embedded={embedded !== undefined}
      sidebar={embedded !== 'wizard' && <Sidebar space={space} live={live} embedded={embedded !== undefined} />}
    >
      <div className="space">
        <Steps space={space} />
        <div className="space-page">
          <Suspense fallback={<Loading />}>
            <Switch>
              <Route path="/s/:spaceId/files">
                <UnlessClipOnly space={space}>
                  <FilesPage space={space} />
                </UnlessClipOnly>
              </Route>
              <Route path="/s/:spaceId/activity">
                <UnlessClipOnly space={space}>
                  <ActivityPage space={space} />
                </UnlessClipOnly>
              </Route>
              <Route path="/s/:spaceId/assistant">
                <AssistantPage space={space} />
              </Route>
              <Route path="/s/:spaceId/documents/:documentId">
                {({ documentId }) => <DocumentPage space={space} documentId={documentId} />}
              </Route>
              <Route path="/s/:spaceId/map/:jobId">
                {({ jobId }) => <MappingPage key={jobId} space={space} jobId={jobId} />}
              </Route>
              <Route path="/s/:spaceId/sheets/:sheetId">
                {({ sheetId }) => <SheetPage key={sheetId} space={space} sheetId={sheetId} />}
              </Route>
              <Route>
                <UnlessClipOnly space={space}>
                  <Overview space={space} />
                </UnlessClipOnly>
              </Route>
            </Switch>
          </Suspense>
        </div>
      </div>
    </Frame>
  )
}
