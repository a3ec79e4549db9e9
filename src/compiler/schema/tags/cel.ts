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
    return {
      problem:
        'expected a rule, got none; write one such as `@cel self.min <= self.max : "min must not exceed max"`',
    };
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  if (json !== undefined && 'value' in json && isObject(json.value)) return fromJson(json.value);
  if (text.includes('\n') && hasCelComment(text))
    return {
      problem: 'its lines are joined, so that a comment would hide the rest of the rule: remove the comment',
    };
  // Rejects a text that was meant as a JSON object but is not valid JSON, instead of treating it as a CEL rule.
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
 * Matches a colon and a string at the end of a rule. The string was probably meant as a message, because a CEL expression can end like this
 * only after a `?`.
 */
const looksLikeMessage = /:\s*(?:"[^"]*"|'[^']*')$/;

// Joins the lines of a rule to one line. A rule may span several lines of a comment, but the API server rejects a rule with line breaks
// unless the rule has a message.
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
        problem: `unknown field ${name} of a rule${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      };
    }
    const type = name === 'optionalOldSelf' ? 'boolean' : 'string';
    if (typeof content !== type) return { problem: `${name} is not a ${type}` };
  }
  return typeof value['rule'] === 'string'
    ? checked(value as unknown as ValidationRule)
    : { problem: 'the field rule is missing' };
}

/** Checks a rule for faults that the API server finds without parsing the CEL expression. */
function checked(value: ValidationRule): Parsed<ValidationRule> {
  const { rule, message, reason, optionalOldSelf } = value;
  if (rule.trim() === '') return { problem: 'the rule is empty' };
  if (message !== undefined && (message.includes('\n') || message.trim() === '')) {
    return { problem: 'expected a message of one line, got an empty one or several lines' };
  }
  if (rule.includes('\n') && message === undefined)
    return { problem: 'the rule has several lines, and therefore needs a message' };
  if (reason !== undefined && !reasons.includes(reason))
    return { problem: `expected one of ${reasons.join(', ')} as reason` };
  if (optionalOldSelf === true && !/\boldSelf\b/.test(rule))
    return { problem: 'optionalOldSelf is set, but the rule does not use oldSelf' };
  return { value };
}

/** A warning that the author of the types has allowed with an `@allow` tag. */
export interface Allow {
  readonly code: string;
  readonly tag: Tag;
}

/** Codes of the warnings that `@allow` accepts: all warnings except those about unused tags. */
const lints: readonly string[] = warningCodes.filter(
  (code) => code !== 'schema/unused-allow' && code !== 'schema/unused-descriptor',
);

const form = '`@allow <code> <reason>`, such as `@allow schema/float Measured in the field.`';

/** Reads the `@allow` tags of a doc. The text of such a tag is the code of a warning, followed by a reason. */
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

/** Returns the warning about an `@allow` tag whose warning does not occur. */
export function unusedAllow({ code, tag }: Allow): Problem {
  return {
    code: 'schema/unused-allow',
    message: `unused @allow ${code}: nothing below this declaration triggers it`,
    fix: ['remove the tag'],
    at: tag,
  };
}
