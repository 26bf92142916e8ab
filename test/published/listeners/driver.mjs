/** Runs a listener on the published driver in its own process and prints each event as a line of JSON. */
import { FlatfileListener } from '@flatfile/listener'
import { PubSubDriver } from '@flatfile/listener-driver-pubsub'

const listener = FlatfileListener.create((each) => {
  each.on('**', ({ src }) => console.log(`EVENT ${JSON.stringify(src)}`))
})
const driver = new PubSubDriver(process.env.SCOPE)
listener.mount(driver)
await driver.start()
console.log('READY')
process.on('SIGTERM', () => {
  driver.shutdown()
  setTimeout(() => process.exit(0), 300)
})
