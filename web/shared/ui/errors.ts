import { useCallback } from 'react'
import { ApiError } from '../api/client.ts'
import { type I18n, useTranslation } from '../texts/texts.tsx'
import { toast } from './toast.tsx'

const RECORD_ID = /\bus_rc_\w/

export function describeError(error: unknown, { t, translate }: Pick<I18n, 't' | 'translate'>): string[] {
  if (!(error instanceof ApiError)) return [translate(error instanceof Error ? error.message : String(error))]
  if (error.status === 0) return [t('serverUnreachable')]
  if (error.problems.length === 0) return [t('requestFailed', { status: String(error.status) })]
  const messages = [...new Set(error.problems.map(({ message }) => translate(message)))]
  const plain = messages.filter((message) => !RECORD_ID.test(message))
  return plain.length > 0 ? plain : messages
}

export function useErrorToast(): (error: Error) => void {
  const i18n = useTranslation()
  return useCallback((error) => toast(describeError(error, i18n).join(' '), 'error'), [i18n])
}
