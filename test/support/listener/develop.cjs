/** What a developer runs with the CLI's `develop`: names each new space. */
const { FlatfileClient } = require('@flatfile/api')

exports.default = (listener) => {
  listener.on('space:created', async ({ context }) => {
    await new FlatfileClient().spaces.update(context.spaceId, { name: 'Seen by develop' })
  })
}
