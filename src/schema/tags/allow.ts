import { catalog } from '../../errors/index.ts';
import { closestName } from '../../util/closest-name.ts';
import type { Doc, Problem, Tag } from '../shape.ts';

/** A warning that an author has decided to live with. */
export interface Allow {
  readonly code: string;
  readonly tag: Tag;
}

/** The warnings of op-sdk: the catalogue marks them in its explanations. One cannot allow that nothing is allowed. */
const lints: readonly string[] = Object.entries(catalog)
  .filter(([code, { explain }]) => explain.startsWith('A warning.') && code !== 'schema/unused-allow')
  .map(([code]) => code);

const form = '`@allow <code> <reason>`, such as `@allow schema/float Measured in the field.`';

/** What the `@allow` tags of a doc allow; each names the code of a warning and says why. */
export function allowsOf(doc: Doc): {
  readonly allows: readonly Allow[];
  readonly problems: readonly Problem[];
} {
  const allows: Allow[] = [];
  const problems: Problem[] = [];
  for (const tag of doc.tags.filter(({ name }) => name === 'allow')) {
    const [, code = '', reason = ''] = /^(\S*)\s*([\s\S]*)$/.exec(tag.text) ?? [];
    const problem = problemOf(code, reason);
    if (problem === undefined) allows.push({ code, tag });
    else problems.push({ code: 'schema/tag-value', ...problem, at: tag });
  }
  return { allows, problems };
}

function problemOf(code: string, reason: string): Pick<Problem, 'message' | 'fix'> | undefined {
  if (code === '') return { message: `@allow expects ${form}`, fix: ['write the code and the reason'] };
  if (!lints.includes(code)) {
    const isError = Object.hasOwn(catalog, code);
    const meant = closestName(code, lints);
    return {
      message: isError
        ? `@allow: ${code} is an error, and errors cannot be allowed`
        : `@allow: there is no warning ${code}`,
      fix: [isError || meant === undefined ? 'take the tag away' : `did you mean ${meant}?`],
    };
  }
  if (reason !== '') return undefined;
  return {
    message: `@allow ${code} has no reason`,
    fix: ['write behind the code why the warning does not matter here'],
  };
}

/** That an `@allow` has had nothing to allow. */
export function unusedAllow({ code, tag }: Allow): Problem {
  return {
    code: 'schema/unused-allow',
    message: `@allow ${code}: there is no such warning here or below`,
    fix: ['take the tag away'],
    at: tag,
  };
}
