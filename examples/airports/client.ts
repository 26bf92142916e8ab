/** A small client of Wharf's HTTP API, as in a user's script. */
// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Json = any

export class Client {
  readonly #baseUrl: string
  readonly #token: string

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl
    this.#token = token
  }

  get = (path: string): Promise<Json> => this.#call('GET', path)
  post = (path: string, body?: unknown): Promise<Json> => this.#call('POST', path, body)
  delete = (path: string): Promise<Json> => this.#call('DELETE', path)

  async #call(method: string, path: string, body?: unknown): Promise<Json> {
    const isForm = body instanceof FormData
    const response = await fetch(`${this.#baseUrl}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      body: isForm ? body : body === undefined ? null : JSON.stringify(body),
    })
    const reply = (await response.json()) as Json
    if (!response.ok)
      throw new Error(
        `${method} ${path}: ${response.status} ${reply.errors?.map((error: Json) => error.message).join('; ')}`,
      )
    return reply.data
  }
}
