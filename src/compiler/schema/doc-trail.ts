import type { Doc } from './shape.ts';

/** For what is wrong with the use of a type rather than with the type. */
export function toField(docTrail: readonly Doc[]): readonly Doc[] {
  return docTrail.slice(0, docTrail.findLastIndex((doc) => doc.kind === 'member') + 1);
}

/** The innermost field on the way, or the declaration where there is none. */
export function labelOf(docTrail: readonly Doc[]): string {
  return (docTrail.findLast((doc) => doc.kind === 'member') ?? docTrail.at(-1))?.label ?? 'the type';
}
