import type { I18n } from '../../shared/texts/texts.tsx'
import type { Webhook } from '../data.ts'
import type { FormField } from '../parts/forms.tsx'

export const buildWebhookFields = (t: I18n['t'], webhook?: Webhook): FormField[] => [
  { name: 'url', label: t('address'), type: 'url', initial: webhook?.url },
  {
    name: 'topics',
    label: t('topics'),
    hint: t('topicsHint', { example: 'job:failed, file:*' }),
    initial: webhook?.topics.join(', ') ?? '**',
  },
  { name: 'description', label: t('description'), optional: true, initial: webhook?.description },
]

export const parseTopics = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)
