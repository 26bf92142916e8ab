/** An agent for the CLI's `develop` command: names each new space. */
const { FlatfileClient } = require('@flatfile/api')

exports.default = (listener) => {
  listener.on('space:created', async ({ context }) => {
    await new FlatfileClient().spaces.update(context.spaceId, { name: 'Seen by develop' })
  })
}
