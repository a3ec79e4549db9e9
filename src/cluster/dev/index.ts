/**
 * `op-sdk dev`: one operator at a time, started again for each change, and what happens to the objects of the project's kinds,
 * in words. Bundling, and what is installed when, is the command's work.
 */
export { OperatorProcesses, type OperatorProcessesOptions } from './operator-processes.ts';
export { OperatorRestarter } from './restarter.ts';
export { ObjectWatch, type ObjectChange } from './watch-objects.ts';
export { watchedTypes } from './watched-types.ts';
