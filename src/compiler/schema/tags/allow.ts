import { warningCodes } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/closest-name.ts';
import type { Doc, Problem, Tag } from '../shape.ts';

/** A warning that an author has decided to live with. */
export interface Allow {
  readonly code: string;
  readonly tag: Tag;
}

/** Every warning but those about tags that no kind has a use for. */
const lints: readonly string[] = warningCodes.filter(
  (code) => code !== 'schema/unused-allow' && code !== 'schema/unused-descriptor',
);

const form = '`@allow <code> <reason>`, such as `@allow schema/float Measured in the field.`';

/** Reads the `@allow` tags of a doc; each names the code of a warning and says why. */
export function allowsOf(doc: Pick<Doc, 'tags'>): {
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
    const meant = closestName(code, lints);
    return {
      message: `@allow expects the code of a warning, got ${code}`,
      fix: [meant === undefined ? 'remove the tag' : `did you mean ${meant}?`],
    };
  }
  if (reason !== '') return undefined;
  return {
    message: `@allow ${code} has no reason`,
    fix: ['write after the code why the warning does not matter here'],
  };
}

/** The warning about an `@allow` that allows nothing. */
export function unusedAllow({ code, tag }: Allow): Problem {
  return {
    code: 'schema/unused-allow',
    message: `unused @allow ${code}: nothing below this declaration triggers it`,
    fix: ['remove the tag'],
    at: tag,
  };
}
