/** Shows the clip instead of the space's pages to guests who have access to data clips only. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { useSession } from '../../shared/api/session.ts'
import { QueryView } from '../../shared/ui/states.tsx'
import { clipsQuery, isClipWorkbook, type Space, type Workbook, workbooksQuery } from '../queries.ts'

export const hasOnlyClips = (workbooks: readonly Workbook[] | undefined): boolean =>
  workbooks !== undefined && workbooks.length > 0 && workbooks.every(isClipWorkbook)

export function UnlessClipOnly({ space, children }: { space: Space; children: ReactNode }) {
  const isGuest = useSession()?.kind === 'guest'
  const workbooks = useQuery({ ...workbooksQuery(space.id), enabled: isGuest })
  if (!isGuest) return children
  return (
    <QueryView query={workbooks}>{(all) => (hasOnlyClips(all) ? <FirstClip space={space} /> : children)}</QueryView>
  )
}

function FirstClip({ space }: { space: Space }) {
  const clips = useQuery(clipsQuery(space.id))
  return (
    <QueryView query={clips}>
      {([first]) => first && <Redirect to={`/s/${space.id}/sheets/${first.clipSheetId}`} replace />}
    </QueryView>
  )
}
