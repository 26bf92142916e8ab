/** Requests that change something, and the questions asked before. */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextField } from '../../shared/ui/controls.tsx'
import { Confirm, Dialog } from '../../shared/ui/dialog.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'

export function useAction<Input = void, Answer = unknown>(
  action: (input: Input) => Promise<Answer>,
  invalidates: readonly string[],
  onDone?: (result: Answer) => void,
): UseMutationResult<Answer, Error, Input> {
  const refresh = useRefresh()
  const showError = useErrorToast()
  return useMutation({
    mutationFn: action,
    onSuccess(result) {
      refresh(...invalidates)
      onDone?.(result)
    },
    onError: showError,
  })
}

export function useRefresh(): (...keys: string[]) => void {
  const client = useQueryClient()
  return (...keys) => {
    for (const key of keys) void client.invalidateQueries({ queryKey: [key] })
  }
}

interface DeleteProps {
  name: string
  text: ReactNode
  label?: string
  /** Asks to type the name: for what cannot be undone and holds the work of others. */
  byName?: boolean
  kind?: 'ghost' | 'danger'
  onDelete(): Promise<unknown>
  onDone?(): void
  invalidates: readonly string[]
}

export function DeleteButton(props: DeleteProps) {
  const { t } = useTranslation()
  const [isConfirming, setIsConfirming] = useState(false)
  const label = props.label ?? t('delete')
  const remove = useAction(props.onDelete, props.invalidates, () => {
    setIsConfirming(false)
    props.onDone?.()
  })
  const Question = props.byName ? ConfirmByName : Confirm
  return (
    <>
      <Button kind={props.kind ?? 'ghost'} aria-label={`${label}: ${props.name}`} onClick={() => setIsConfirming(true)}>
        {label}
      </Button>
      {isConfirming && (
        <Question
          name={props.name}
          title={label}
          text={props.text}
          action={label}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </>
  )
}

function ConfirmByName(props: Parameters<typeof Confirm>[0] & { name: string }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim() === props.name.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed) props.onConfirm()
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={submit}>
        <p className="form-text">{props.text}</p>
        <TextField
          label={t('typeToConfirm', { name: props.name })}
          value={typed}
          autoComplete="off"
          dir="auto"
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="actions">
          <Button onClick={props.onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="danger" disabled={!isConfirmed} busy={props.busy}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
