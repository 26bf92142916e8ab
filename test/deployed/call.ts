/** Calls an API anywhere, without the test environment. */

export const callJson =
  (baseUrl: string, key: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
  async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await fetch(`${baseUrl}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text).data
  }
