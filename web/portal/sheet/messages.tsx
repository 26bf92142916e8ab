import { useTranslation } from '../../shared/texts/texts.tsx'
import type { SheetRecord } from './pages.ts'

type CellMessage = SheetRecord['values'][string]['messages'][number]

export function getWorstType(messages: readonly CellMessage[]): 'error' | 'warn' | 'info' | undefined {
  for (const type of ['error', 'warn', 'info'] as const)
    if (messages.some((message) => message.type === type)) return type
  return undefined
}

export function Messages({ messages }: { messages: readonly CellMessage[] }) {
  const { translate } = useTranslation()
  if (messages.length === 0) return null
  return (
    <ul className="messages">
      {messages.map(({ type, message }) => (
        <li key={`${type} ${message}`} className={type} dir="auto">
          {translate(message)}
        </li>
      ))}
    </ul>
  )
}
