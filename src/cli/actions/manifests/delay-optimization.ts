import { setFlagsFromString } from 'node:v8';

/**
 * Tells the V8 of Node 20 to optimise only what runs really long. Generating manifests runs much of the compiler's code a few times
 * and ends: with V8's own measure (66 KiB of byte code) a third of all CPU time goes into optimised code that is hardly used. What
 * does run long, in big projects and under `--watch`, is optimised nevertheless.
 *
 * Later versions count otherwise, do not know the flag and would say so on stderr; they have a cheaper compiler in between.
 */
export function delayOptimization(): void {
  const [major = 0] = process.versions.v8.split('.').map(Number);
  if (major < 12) setFlagsFromString('--interrupt-budget=2000000');
}
