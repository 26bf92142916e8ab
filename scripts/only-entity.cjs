/**
 * In the place of ElectroDB's front in bundles. Of it only entities are used, and of these the keys and conditions they make
 * (lib/table/entity.ts sends requests itself): a cold start need not load its services, nor all commands of the SDK.
 */
module.exports = { Entity: require('../node_modules/electrodb/src/entity').Entity }
