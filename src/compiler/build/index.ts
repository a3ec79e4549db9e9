/**
 * From a project to what runs in its image: the operator in one file, its operand manifests checked against the schemas
 * of their kinds and written into it. The bundler is loaded only when something is built. Writes nothing: commands do.
 */
export { buildCodes } from './codes.ts';
export { buildOperator, type OperatorBundle } from './build-operator.ts';
export { DevBuilder, devOutfile, type DevBundle } from './dev-builder.ts';
