import type { Doc } from './shape.ts';

/** For what is wrong with the use of a type rather than with the type. */
export function toField(near: readonly Doc[]): readonly Doc[] {
  return near.slice(0, near.findLastIndex((doc) => doc.kind === 'member') + 1);
}

/** The innermost field on the way, or the declaration where there is none. */
export function labelOf(near: readonly Doc[]): string {
  return (near.findLast((doc) => doc.kind === 'member') ?? near.at(-1))?.label ?? 'the type';
}
