/**
 * `op-sdk run`: whether a cluster has the kinds that the controllers of a project need, and the operator as a process that
 * never outlives op-sdk. Bundling it is the command's work.
 */
export { checkDefinitions } from './check-definitions.ts';
export { checkKinds } from './check-kinds.ts';
export { exitCodeOfProcess } from './exit-code.ts';
export type { Inspection } from './operator-arguments.ts';
export { runOperator, type RunOperatorOptions } from './run-operator.ts';
