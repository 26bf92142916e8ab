/** Runs the published automap plugin on the published driver in its own process. */
import { FlatfileListener } from '@flatfile/listener'
import { PubSubDriver } from '@flatfile/listener-driver-pubsub'
import plugin from '@flatfile/plugin-automap'

const { automap } = plugin
const { SCOPE, ACCURACY } = process.env
const listener = FlatfileListener.create((each) => {
  each.use(
    automap({
      accuracy: ACCURACY,
      defaultTargetSheet: 'contacts',
      matchFilename: /^.*contacts\.csv$/,
      debug: true,
      onFailure: ({ context }) => console.log(`FAILED ${context.jobId}`),
    }),
  )
})
const driver = new PubSubDriver(SCOPE)
listener.mount(driver)
await driver.start()
console.log('READY')
process.on('SIGTERM', () => {
  driver.shutdown()
  setTimeout(() => process.exit(0), 300)
})
