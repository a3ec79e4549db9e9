import { isObject } from '../../../kubernetes/objects/index.ts';
import { type ValidationRule, hasCelComment } from '../../../kubernetes/crd/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { warningCodes } from '../../../base/errors/index.ts';
import type { Doc, Problem, Tag } from '../shape.ts';
import { parseJson, type Parsed } from './values.ts';

const fields = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'];
/** Reasons that a validation rule may have. Source: apiextensions `validation.go`, supported validation reasons. */
const reasons = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];

/** Reads the rule of a `@cel` tag: `rule`, `rule : "message"`, or a JSON object with the fields of a validation rule. */
export function parseCel(text: string): Parsed<ValidationRule> {
  if (text === '')
    return { problem: 'a rule is missing, such as `@cel self.min <= self.max : "min must not exceed max"`' };
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  if (json !== undefined && 'value' in json && isObject(json.value)) return fromJson(json.value);
  if (text.includes('\n') && hasCelComment(text))
    return {
      problem: 'its lines are joined, so that a comment would hide the rest of the rule: remove the comment',
    };
  // A text that was meant as a JSON object but cannot be read must not become a rule.
  if (/^\{\s*"\w+"\s*:/.test(text)) return { problem: `${text} is not JSON` };
  const [, rule, message] = /^([\s\S]+?)\s+:\s+("(?:[^"\\]|\\.)*")$/.exec(text) ?? [undefined, text];
  if (message === undefined) {
    const colon = text.search(looksLikeMessage);
    if (colon !== -1 && !text.slice(0, colon).includes('?'))
      return { problem: 'expected the message in double quotes after ` : `, a colon between spaces' };
    return checked({ rule: oneLine(rule ?? text) });
  }
  const parsed = parseJson(message);
  if ('problem' in parsed || typeof parsed.value !== 'string')
    return { problem: `the message ${message} is not a JSON string` };
  const value = { rule: oneLine(rule ?? text), message: parsed.value };
  return checked(value);
}

/**
 * Matches a colon and a string at the end, which were probably meant as a message. An expression of CEL ends like that only after a `?`.
 */
const looksLikeMessage = /:\s*(?:"[^"]*"|'[^']*')$/;

// Joins the lines of a rule. A rule may span several lines of a comment, but the API server rejects line breaks in a rule that has no
// message.
function oneLine(rule: string): string {
  return rule
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

function fromJson(value: Record<string, unknown>): Parsed<ValidationRule> {
  for (const [name, content] of Object.entries(value)) {
    if (!fields.includes(name)) {
      const meant = closestName(name, fields);
      return {
        problem: `a rule has no field ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      };
    }
    const type = name === 'optionalOldSelf' ? 'boolean' : 'string';
    if (typeof content !== type) return { problem: `${name} is not a ${type}` };
  }
  return typeof value['rule'] === 'string'
    ? checked(value as unknown as ValidationRule)
    : { problem: 'the field rule is missing' };
}

/** Checks a rule for faults that the API server rejects without parsing the expression. */
function checked(value: ValidationRule): Parsed<ValidationRule> {
  const { rule, message, reason, optionalOldSelf } = value;
  if (rule.trim() === '') return { problem: 'the rule is empty' };
  if (message !== undefined && (message.includes('\n') || message.trim() === '')) {
    return { problem: 'a message is one line and not empty' };
  }
  if (rule.includes('\n') && message === undefined)
    return { problem: 'a rule of several lines needs a message' };
  if (reason !== undefined && !reasons.includes(reason))
    return { problem: `the reason is one of ${reasons.join(', ')}` };
  if (optionalOldSelf === true && !/\boldSelf\b/.test(rule))
    return { problem: 'optionalOldSelf needs a rule that uses oldSelf' };
  return { value };
}

/** A warning that an author has decided to live with. */
export interface Allow {
  readonly code: string;
  readonly tag: Tag;
}

/** All warnings except those about unused tags. */
const lints: readonly string[] = warningCodes.filter(
  (code) => code !== 'schema/unused-allow' && code !== 'schema/unused-descriptor',
);

const form = '`@allow <code> <reason>`, such as `@allow schema/float Measured in the field.`';

/** Reads the `@allow` tags of a doc. Each tag has the code of a warning and a reason. */
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
