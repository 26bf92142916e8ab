/** The button that imports, with what a person should know before and after. */
import { useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Confirm } from '../../shared/ui/dialog.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import type { Target } from './plan.ts'
import { listChanges } from './use-import.ts'

interface ConfirmProps {
  missing: readonly Target[]
  disabled: boolean
  isPending: boolean
  onConfirm(): void
}

export function ConfirmImport({ missing, disabled, isPending, onConfirm }: ConfirmProps) {
  const { t } = useTranslation()
  const [asks, setAsks] = useState(false)
  const fields = missing.map(({ key, label }) => `“${label || key}”`).join(', ')
  return (
    <>
      <Button
        kind="primary"
        busy={isPending}
        disabled={disabled}
        onClick={missing.length > 0 ? () => setAsks(true) : onConfirm}
      >
        {t('confirmMapping')}
      </Button>
      {asks && (
        <Confirm
          title={t('importIncomplete')}
          text={t('importIncompleteText', { count: missing.length, fields })}
          action={t('importWithErrors')}
          onConfirm={() => {
            setAsks(false)
            onConfirm()
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}

export function ImportProblem({ error }: { error: unknown }) {
  const { t, translate } = useTranslation()
  const changes = listChanges(error)
  if (changes.length === 0) return <ErrorNotice error={error} />
  return (
    <div className="notice warn" role="alert">
      <div>
        <p>{t('changedSincePreview')}</p>
        <ul className="bullets">
          {changes.map((change) => (
            <li key={change} dir="auto">
              {translate(change)}
            </li>
          ))}
        </ul>
        <p>{t('checkPreview')}</p>
      </div>
    </div>
  )
}
