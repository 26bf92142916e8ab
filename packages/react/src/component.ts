import { useEffect } from 'react'
import { type UseImporterOptions, useWharfImporter } from './use-importer.ts'

export interface WharfImporterProps extends UseImporterOptions {
  open: boolean
}

/** Shows the importer over the page while `open` is true. Set it to false in `onClosed`. */
export function WharfImporter({ open: isWanted, ...options }: WharfImporterProps): null {
  const { open, close } = useWharfImporter(options)
  useEffect(() => {
    if (!isWanted) return
    void open()
    return close
  }, [isWanted, open, close])
  return null
}
