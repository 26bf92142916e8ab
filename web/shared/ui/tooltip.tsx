import type { ReactElement } from 'react'
import { Tooltip as AriaTooltip, Focusable, TooltipTrigger } from 'react-aria-components'
import './navigation.css'

/** Milliseconds. */
const TOOLTIP_DELAY = 500

/** Describes a control that has a name already, on hover and on focus. */
export function Tooltip({ text, children }: { text: string; children: ReactElement<object, string> }) {
  return (
    <TooltipTrigger delay={TOOLTIP_DELAY}>
      <Focusable>{children}</Focusable>
      <AriaTooltip className="tooltip">{text}</AriaTooltip>
    </TooltipTrigger>
  )
}
