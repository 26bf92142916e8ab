/** In the place of ElectroDB's front in bundles: of it only entities are used, and a cold start need not load its services. */
module.exports = { Entity: require('../node_modules/electrodb/src/entity').Entity }
