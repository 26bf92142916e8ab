/** Starts to match a file. Asks for the sheets only if there is a choice. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { MapFile } from '../mapping/map-file.tsx'
import { useCreateMapping } from '../mapping/use-create-mapping.ts'
import { type File, getSheets, isTargetWorkbook, type Space, workbooksQuery } from '../queries.ts'

interface StartedImport {
  start(file: File): void
  isPending: boolean
  dialog: ReactNode
}

export function useStartImport(space: Space): StartedImport {
  const showError = useErrorToast()
  const workbooks = useQuery(workbooksQuery(space.id))
  const [file, setFile] = useState<File>()
  const create = useCreateMapping(space)
  const start = (chosen: File) => {
    const list = workbooks.data ?? []
    const [source, ...otherSources] = getSheets(list.filter(({ id }) => id === chosen.workbookId))
    const [target, ...otherTargets] = getSheets(
      list.filter((workbook) => isTargetWorkbook(workbook) && workbook.id !== chosen.workbookId),
    )
    if (source && target && otherSources.length === 0 && otherTargets.length === 0)
      create.mutate({ file: chosen, source, target }, { onError: showError })
    else setFile(chosen)
  }
  return {
    start,
    isPending: create.isPending,
    dialog: file && <MapFile space={space} file={file} onClose={() => setFile(undefined)} />,
  }
}
