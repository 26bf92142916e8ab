/** Replaces ElectroDB's client in bundles: entities are used without a client. */
const { EntityIdentifiers } = require('../node_modules/electrodb/src/types')

module.exports = { normalizeConfig: (config) => ({ ...config, identifiers: { ...EntityIdentifiers } }) }
