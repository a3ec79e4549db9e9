/** The binary of an operator: its command line, its signals, its exit code. */
export {
  operatorMain,
  runMain,
  type CommandContext,
  type OperatorContext,
  type OperatorMainOptions,
  type OperatorProcess,
} from './operator-main.ts';
export type { OperatorFlags } from './flags.ts';
