/** A space as people work in it: what leads through it on the side, what is done in the middle. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useSession } from '../shared/api/session.ts'
import { useTexts } from '../shared/texts/texts.tsx'
import { Empty, Loading, Shown } from '../shared/ui/states.tsx'
import { OfWholeSpace } from './clips/alone.tsx'
import { type Space, spaceQuery, spacesQuery } from './data.ts'
import { DocumentPage } from './document.tsx'
import { FilesPage } from './files.tsx'
import { useSpaceEvents } from './follow-space.ts'
import { Overview } from './overview.tsx'
import { Sidebar } from './sidebar.tsx'

const SheetPage = lazy(() => import('./sheet/page.tsx'))
const MappingPage = lazy(() => import('./mapping/page.tsx'))

export default function Portal({ spaceId }: { spaceId?: string }) {
  return spaceId ? <InSpace spaceId={spaceId} /> : <FirstSpace />
}

/** Without a space in the address: the one there is, or the newest. */
function FirstSpace() {
  const { t } = useTexts()
  const session = useSession()
  const spaces = useQuery(spacesQuery())
  if (session?.spaceId) return <Redirect to={`/s/${session.spaceId}`} replace />
  return (
    <Shown of={spaces}>
      {({ data: [first] }) => (first ? <Redirect to={`/s/${first.id}`} replace /> : <Empty title={t('noSpaces')} />)}
    </Shown>
  )
}

function InSpace({ spaceId }: { spaceId: string }) {
  const space = useQuery(spaceQuery(spaceId))
  return <Shown of={space}>{(found) => <SpaceFrame space={found} />}</Shown>
}

export function SpaceFrame({ space, embedded = false }: { space: Space; embedded?: boolean }) {
  const { t } = useTexts()
  const live = useSpaceEvents(space.id)
  useEffect(() => {
    document.title = `${space.name} · Wharf`
  }, [space.name])
  return (
    <div className={`frame ${embedded ? 'embedded' : ''}`}>
      <a className="skip" href="#main">
        {t('skipToContent')}
      </a>
      <Sidebar space={space} live={live} embedded={embedded} />
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/s/:spaceId/files">
              <OfWholeSpace space={space}>
                <FilesPage space={space} />
              </OfWholeSpace>
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
              <OfWholeSpace space={space}>
                <Overview space={space} />
              </OfWholeSpace>
            </Route>
          </Switch>
        </Suspense>
      </main>
    </div>
  )
}
