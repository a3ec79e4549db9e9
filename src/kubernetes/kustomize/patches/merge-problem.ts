import type { Json } from '../resource.ts';

/** A place in a patch. */
export type PatchPath = readonly (string | number)[];

/** Tells that a part of a patch cannot be merged; the merge goes on with the rest. */
export type ReportProblem = (path: PatchPath, message: string, fix: string) => void;

/** Describes a value in messages: `a list`, `a mapping`, or a scalar as JSON. */
export function shapeOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a mapping' : JSON.stringify(value);
}
