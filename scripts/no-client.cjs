/** In the place of ElectroDB's client in bundles: entities are used without one, and name what they are as always. */
const { EntityIdentifiers } = require('../node_modules/electrodb/src/types')

module.exports = { normalizeConfig: (config) => ({ ...config, identifiers: { ...EntityIdentifiers } }) }
