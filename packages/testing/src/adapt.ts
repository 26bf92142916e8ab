export interface DeliveredEvent {
  id: string
  topic: string
  domain: string
  context: Record<string, unknown>
  payload: unknown
  createdAt: string
}

export interface HandlerRun {
  handler: string
  error?: unknown
  /** The error failed the job, and not the event. */
  isJobFailure?: true
}

interface Variables {
  accessToken: string
  apiUrl: string
}

interface TypedListener {
  setVariables(variables: Variables): void
  handleEvent(event: DeliveredEvent): Promise<HandlerRun[]>
}

interface Registered {
  query: string | string[]
  callback(event: object): unknown
}

interface PublicListener {
  setVariables(variables: Variables): void
  dispatchEvent(event: object): Promise<void>
  getListeners(event: object, withNodes?: boolean): Registered[]
}

export type Listener = TypedListener | PublicListener

export const dispatch = (listener: Listener, event: DeliveredEvent): Promise<HandlerRun[]> =>
  'handleEvent' in listener ? listener.handleEvent(event) : dispatchPublic(listener, event)

/** The public library only prints the errors of handlers, so it is given handlers that never throw. */
async function dispatchPublic(listener: PublicListener, event: DeliveredEvent): Promise<HandlerRun[]> {
  const runs: HandlerRun[] = []
  const recorded: PublicListener = Object.create(listener, {
    getListeners: {
      value: (...args: Parameters<PublicListener['getListeners']>): Registered[] =>
        listener.getListeners(...args).map((registered) => ({ ...registered, callback: record(registered, runs) })),
    },
  })
  await recorded.dispatchEvent(event)
  return runs
}

const record =
  ({ query, callback }: Registered, runs: HandlerRun[]) =>
  async (event: object): Promise<void> => {
    const run: HandlerRun = { handler: callback.name || [query].flat().join(', ') }
    try {
      await callback(event)
    } catch (error) {
      run.error = error ?? new Error('The handler failed without an error.')
    }
    runs.push(run)
  }
