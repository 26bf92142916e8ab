import { useTranslation } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import { toast } from './toast.tsx'

/** A secret is not in the page until the button is pressed, so `value` can also load it. */
export function CopyButton({ value, name }: { value: string | (() => Promise<string>); name: string }) {
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
    <Button kind="ghost" aria-label={`${t('copy')}: ${name}`} onClick={() => void copy()}>
      {t('copy')}
    </Button>
  )
}
