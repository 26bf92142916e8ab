import { useCallback, useEffect, useRef, useState } from 'react'
import { loadImporter } from './load.ts'
import type { ImporterElement, ImporterEvents, ImporterFailure, ImporterOptions, ImporterResult } from './types.ts'

export interface UseImporterOptions extends ImporterOptions {
  url: string
  onSubmitted?(submission: ImporterEvents['submitted']): void
  onClosed?(detail: ImporterEvents['closed']): void
  onError?(failure: ImporterFailure): void
}

export interface Importer {
  open(): Promise<ImporterResult>
  close(): void
  isOpen: boolean
  /** Set if the importer's script could not be loaded. The importer itself shows all other failures. */
  error: ImporterFailure | undefined
}

export function useWharfImporter(options: UseImporterOptions): Importer {
  const latest = useRef(options)
  const element = useRef<ImporterElement | undefined>(undefined)
  const isWanted = useRef(false)
  const [isOpen, setIsOpen] = useState(false)
  const [error, setError] = useState<ImporterFailure>()
  const { url } = options
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => void loadImporter(url).catch(() => {}), [url])
  const fail = useCallback((cause: unknown): ImporterResult => {
    const failure: ImporterFailure = { code: 'network', message: `The importer could not be loaded: ${cause}` }
    setError(failure)
    setIsOpen(false)
    latest.current.onError?.(failure)
    return { status: 'closed', error: failure }
  }, [])
  const open = useCallback(async (): Promise<ImporterResult> => {
    isWanted.current = true
    setError(undefined)
    setIsOpen(true)
    const loaded = await loadImporter(latest.current.url).catch((cause: unknown) => ({ cause }))
    if ('cause' in loaded) return fail(loaded.cause)
    if (!isWanted.current) return { status: 'closed' }
    const listeners = {
      submitted: (detail: ImporterEvents['submitted']) => latest.current.onSubmitted?.(detail),
      error: (detail: ImporterFailure) => latest.current.onError?.(detail),
      closed(detail: ImporterEvents['closed']) {
        setIsOpen(false)
        latest.current.onClosed?.(detail)
      },
    }
    element.current ??= loaded.createImporter(latest.current, listeners)
    element.current.configure(latest.current, listeners)
    return element.current.open()
  }, [fail])
  const close = useCallback(() => {
    isWanted.current = false
    setIsOpen(false)
    element.current?.close()
  }, [])
  useEffect(() => close, [close])
  return { open, close, isOpen, error }
}
