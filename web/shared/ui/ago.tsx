/** A time like "3 minutes ago", with the exact one on hover. */
import { useTranslation } from '../texts/texts.tsx'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export function formatAgo(language: string, time: string, now = Date.now()): string {
  const elapsed = Math.max(0, now - Date.parse(time))
  const [unit, length] = UNITS.find(([, milliseconds]) => elapsed >= milliseconds) ?? (['second', 1000] as const)
  const count = unit === 'second' ? 0 : Math.floor(elapsed / length)
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-count, unit)
}

export function Ago({ time }: { time: string }) {
  const { language, date } = useTranslation()
  return (
    <time className="hint" dateTime={time} title={date(time)}>
      {formatAgo(language, time)}
    </time>
  )
}
