import type { Template } from './build.ts'
import { MONEY } from './money.ts'
import { PEOPLE } from './people.ts'
import { TRADE } from './trade.ts'

export const TEMPLATES: readonly Template[] = [...PEOPLE, ...TRADE, ...MONEY]
