import { useTranslation } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import { toast } from './toast.tsx'

interface Props {
  /** A secret is not in the page until the button is pressed, so this can also load it. */
  value: string | (() => Promise<string>)
  name: string
  label?: string
}

export function CopyButton({ value, name, label }: Props) {
  const { t } = useTranslation()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof value === 'string' ? value : await value())
      toast(t('copied'))
    } catch {
      toast(t('notCopied'), 'error')
    }
  }
  return (
    <Button kind="ghost" aria-label={`${label ?? t('copy')}: ${name}`} onClick={() => void copy()}>
      {label ?? t('copy')}
    </Button>
  )
}
