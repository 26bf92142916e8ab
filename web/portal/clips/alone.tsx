/** Who was given data clips alone has neither files nor other sheets: its clip takes the place of what a space has as a whole. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { useSession } from '../../shared/api/session.ts'
import { Shown } from '../../shared/ui/states.tsx'
import { clipsQuery, isOfClip, type Space, type Workbook, workbooksQuery } from '../data.ts'

export const hasClipsAlone = (workbooks: readonly Workbook[] | undefined): boolean =>
  workbooks !== undefined && workbooks.length > 0 && workbooks.every(isOfClip)

export function OfWholeSpace({ space, children }: { space: Space; children: ReactNode }) {
  // Of everybody else's space clips are never all there is: they have a source.
  const isGuest = useSession()?.kind === 'guest'
  const workbooks = useQuery({ ...workbooksQuery(space.id), enabled: isGuest })
  if (!isGuest) return children
  return <Shown of={workbooks}>{(all) => (hasClipsAlone(all) ? <FirstClip space={space} /> : children)}</Shown>
}

function FirstClip({ space }: { space: Space }) {
  const clips = useQuery(clipsQuery(space.id))
  return (
    <Shown of={clips}>
      {([first]) => first && <Redirect to={`/s/${space.id}/sheets/${first.clipSheetId}`} replace />}
    </Shown>
  )
}
