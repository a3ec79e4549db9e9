/**
 * Bundles the operator that runs in a project's image. The operand manifests are checked against the schemas of their kinds and inlined in
 * the bundle. The bundler is loaded only when something is built. The functions do not write files; commands write them.
 */
export { buildCodes } from './codes.ts';
export { buildOperator, type OperatorBundle } from './build-operator.ts';
export { imageSbom, sbomMediaType } from './sbom.ts';
export { DevBuilder, devOutfile, type DevBundle } from './dev-builder.ts';
