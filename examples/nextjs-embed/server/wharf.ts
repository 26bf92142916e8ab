import { Wharf } from '@wharf/sdk'

/** The secret key stays on the server. */
export const wharf = new Wharf({ token: process.env.KEY!, baseUrl: process.env.URL! })
