/** The pages of the console: lists and single pages, and the pages of the objects in them. */
import {
  Activity,
  Bot,
  ChartColumn,
  Files,
  House,
  KeyRound,
  Layers,
  LayoutGrid,
  ListChecks,
  Lock,
  type LucideIcon,
  Rocket,
  ScrollText,
  Table2,
  Timer,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import type { TextKey } from '../shared/texts/texts.tsx'
import type { ObjectPageProps, PageProps } from './data.ts'

export interface ConsolePage {
  title: TextKey
  Icon: LucideIcon
  Page: ComponentType<PageProps>
  ObjectPage?: ComponentType<ObjectPageProps>
}

const page = (load: () => Promise<{ default: ComponentType<PageProps> }>) => lazy(load)
const object = (load: () => Promise<{ default: ComponentType<ObjectPageProps> }>) => lazy(load)

export const PAGES: Record<string, ConsolePage> = {
  home: { title: 'home', Icon: House, Page: page(() => import('./pages/home.tsx')) },
  start: { title: 'firstSteps', Icon: Rocket, Page: page(() => import('./pages/start.tsx')) },
  builder: { title: 'newWorkbook', Icon: Table2, Page: page(() => import('./builder/page.tsx')) },
  spaces: {
    title: 'spaces',
    Icon: LayoutGrid,
    Page: page(() => import('./pages/spaces.tsx')),
    ObjectPage: object(() => import('./space/page.tsx')),
  },
  files: {
    title: 'files',
    Icon: Files,
    Page: page(() => import('./pages/files.tsx')),
    ObjectPage: object(() => import('./pages/file.tsx')),
  },
  jobs: {
    title: 'jobs',
    Icon: ListChecks,
    Page: page(() => import('./pages/jobs.tsx')),
    ObjectPage: object(() => import('./pages/job.tsx')),
  },
  guests: {
    title: 'guests',
    Icon: Users,
    Page: page(() => import('./pages/guests.tsx')),
    ObjectPage: object(() => import('./pages/guest.tsx')),
  },
  users: {
    title: 'users',
    Icon: UserCog,
    Page: page(() => import('./pages/users.tsx')),
    ObjectPage: object(() => import('./pages/user.tsx')),
  },
  agents: {
    title: 'agents',
    Icon: Bot,
    Page: page(() => import('./pages/agents.tsx')),
    ObjectPage: object(() => import('./pages/agent.tsx')),
  },
  events: {
    title: 'events',
    Icon: Activity,
    Page: page(() => import('./pages/events.tsx')),
    ObjectPage: object(() => import('./pages/event.tsx')),
  },
  webhooks: {
    title: 'webhooks',
    Icon: Webhook,
    Page: page(() => import('./pages/webhooks.tsx')),
    ObjectPage: object(() => import('./pages/webhook.tsx')),
  },
  secrets: { title: 'secrets', Icon: Lock, Page: page(() => import('./pages/secrets.tsx')) },
  keys: { title: 'keys', Icon: KeyRound, Page: page(() => import('./pages/keys.tsx')) },
  environments: {
    title: 'environments',
    Icon: Layers,
    Page: page(() => import('./pages/environments.tsx')),
    ObjectPage: object(() => import('./pages/environment.tsx')),
  },
  audit: { title: 'audit', Icon: ScrollText, Page: page(() => import('./pages/audit.tsx')) },
  usage: { title: 'usage', Icon: ChartColumn, Page: page(() => import('./pages/usage.tsx')) },
  retention: { title: 'retention', Icon: Timer, Page: page(() => import('./pages/retention.tsx')) },
  tokens: { title: 'tokens', Icon: KeyRound, Page: page(() => import('./pages/tokens.tsx')) },
}

export const GROUPS: readonly { title: TextKey; pages: readonly string[] }[] = [
  { title: 'groupWork', pages: ['home', 'start', 'builder', 'spaces', 'files', 'jobs'] },
  { title: 'people', pages: ['guests', 'users'] },
  { title: 'groupBuild', pages: ['agents', 'events', 'webhooks', 'secrets', 'keys'] },
  { title: 'groupAccount', pages: ['environments', 'audit', 'usage', 'retention'] },
]

export const PROFILE_PAGES = ['tokens']
