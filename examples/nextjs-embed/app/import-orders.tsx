'use client'

import { type ImporterSpace, WharfImporter } from '@wharf/react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { startImport } from './actions'

export function ImportOrders({ url }: { url: string }) {
  const router = useRouter()
  const [space, setSpace] = useState<ImporterSpace>()
  const [message, setMessage] = useState('')

  async function importOrders() {
    setMessage('')
    try {
      setSpace(await startImport())
    } catch {
      setMessage('The import could not be started. Try again.')
    }
  }

  return (
    <>
      <button type="button" disabled={space !== undefined} onClick={importOrders}>
        Import orders
      </button>
      <p role="status">{message}</p>
      {space && (
        <WharfImporter
          open
          url={url}
          space={space}
          spaceName="Orders"
          mode="wizard"
          onSubmitted={({ counts }) => setMessage(`${counts.total} records were submitted.`)}
          onError={(error) => setMessage(error.message)}
          onClosed={() => {
            setSpace(undefined)
            router.refresh()
          }}
        />
      )}
    </>
  )
}
