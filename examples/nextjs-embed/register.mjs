/** Creates the webhook for jobs that are ready, and prints its secret, which is shown only once. */
import { Wharf } from '@wharf/sdk'

const wharf = new Wharf({ token: process.env.KEY, baseUrl: process.env.URL })
const { data: environments } = await wharf.environments.list()
const { secret } = await wharf.webhooks.create({
  environmentId: environments[0].id,
  url: `${process.env.APP_URL}/api/webhooks/wharf`,
  topics: ['job:ready'],
})
console.log(secret)
