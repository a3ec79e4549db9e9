/** The binary of an operator: its command line, its signals, its exit code. */
export { operatorMain, runMain, type OperatorContext, type OperatorProcess } from './operator-main.ts';
export type { OperatorFlags } from './flags.ts';
