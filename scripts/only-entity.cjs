/** Replaces ElectroDB's main module in bundles by its entities, the only part in use, for a faster cold start. */
module.exports = { Entity: require('../node_modules/electrodb/src/entity').Entity }
