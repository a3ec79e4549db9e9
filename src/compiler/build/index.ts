/**
 * Builds the operator that runs in a project's image: one file, with its operand manifests checked against the schemas of their kinds and
 * inlined. The bundler is loaded only when something is built. Writes no files: commands do.
 */
export { buildCodes } from './codes.ts';
export { buildOperator, type OperatorBundle } from './build-operator.ts';
export { DevBuilder, devOutfile, type DevBundle } from './dev-builder.ts';
