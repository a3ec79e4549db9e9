import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 to optimise only what runs really long. Generating manifests runs much of the compiler's code a few times and ends:
 * with V8's own measure (132 KiB of byte code per function) a third of all CPU time goes into optimised code that is hardly used.
 * What does run long, in big projects and under `--watch`, is optimised nevertheless.
 */
export function delayOptimization(): void {
  setFlagsFromString('--interrupt-budget=2000000');
}
