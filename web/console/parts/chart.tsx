import { useTranslation } from '../../shared/texts/texts.tsx'

interface Bar {
  name: string
  /** Shown below the bar if there is no space for the name. */
  mark?: string
  value: number
  /** The value in words; by default the number. */
  text?: string
}

const HEIGHT = 96
const MIN_HEIGHT = 2

export function BarChart({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const { number } = useTranslation()
  const largest = Math.max(1, ...bars.map(({ value }) => value))
  const highest = bars.findLast(({ value }) => value === largest)
  return (
    <figure className="chart card">
      <figcaption>{label}</figcaption>
      <ol>
        {bars.map((bar) => {
          const { name, mark, value, text = number(value) } = bar
          const hasSpace = mark === undefined || bar === highest
          const height = value > 0 ? Math.max(MIN_HEIGHT, (HEIGHT * value) / largest) : 0
          return (
            <li key={name} title={`${name}: ${text}`}>
              <span className={hasSpace ? 'chart-value' : 'visually-hidden'}>{text}</span>
              <svg height={height} width="100%" aria-hidden="true" preserveAspectRatio="none">
                <rect width="100%" height={height} rx="3" />
              </svg>
              {mark === undefined ? (
                <span className="chart-name">{name}</span>
              ) : (
                <span className="chart-name">
                  <span aria-hidden="true">{mark}</span>
                  <span className="visually-hidden">{name}</span>
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </figure>
  )
}
