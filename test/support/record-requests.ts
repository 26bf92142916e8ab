export interface RecordedRequest {
  method: string
  url: string
  headers: Headers
  response: { status: number; headers: Headers; body: unknown }
}

export interface Recording {
  requests: RecordedRequest[]
  fetch: typeof globalThis.fetch
}

export function recordRequests(): Recording {
  const requests: RecordedRequest[] = []
  return {
    requests,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      const { status, headers } = response
      const isJson = /^application\/json(;|$)/.test(headers.get('content-type') ?? '')
      const body = isJson ? await response.clone().json() : undefined
      requests.push({
        method: init?.method ?? 'GET',
        url: String(input),
        headers: new Headers(init?.headers),
        response: { status, headers, body },
      })
      return response
    },
  }
}
