/**
 * This file validates names and labels by the API server's rules. Functions named `…Problems` return all problems in the wording of the API
 * server. Functions named `…Problem` return the first problem in op-sdk's wording, which completes a sentence after "is not valid: ".
 * Source: apimachinery `pkg/util/validation/validation.go`.
 */
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualified})?`;
const labelMost = 63;
const subdomainMost = 253;

/** Names as JSON Schema describes them, for editors. */
export const nameSchemas = {
  subdomain: { pattern: `^${subdomain}$`, maxLength: subdomainMost },
  label1035: { pattern: `^${label1035}$`, maxLength: labelMost },
} as const;

const matches = (text: string, form: string): boolean => new RegExp(`^${form}$`).test(text);
const byteLength = (text: string): number => Buffer.byteLength(text);
const tooLong = (most: number): string => `must be no more than ${most} bytes`;

function regexError(message: string, format: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${format}')`;
}

export function subdomainProblems(name: string): readonly string[] {
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [
    ...(byteLength(name) > 253 ? ['must be no more than 253 characters'] : []),
    ...(matches(name, subdomain) ? [] : [regexError(message, subdomain, 'example.com')]),
  ];
}

export function labelProblems(name: string): readonly string[] {
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [
    ...(byteLength(name) > 63 ? ['must be no more than 63 characters'] : []),
    ...(matches(name, label)
      ? []
      : [
          matches(name, subdomain)
            ? 'must not contain dots'
            : regexError(message, label, 'my-name', '123-abc'),
        ]),
  ];
}

export function dns1035Problems(name: string): readonly string[] {
  const message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [
    ...(byteLength(name) > 63 ? ['must be no more than 63 characters'] : []),
    ...(matches(name, label1035) ? [] : [regexError(message, label1035, 'my-name', 'abc-123')]),
  ];
}

/** Returns the problems of names that need only be valid path segments, such as the names of roles. */
export function pathSegmentProblems(name: string, isPrefix = false): readonly string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

export function qualifiedNameProblems(key: string): readonly string[] {
  const message =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const parts = key.split('/');
  const problems: string[] = [];
  let name = key;
  if (parts.length === 2) {
    const [prefix = '', rest = ''] = parts;
    name = rest;
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  } else if (parts.length > 2) {
    return [
      `a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualified}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (byteLength(name) > 63) problems.push(`name part ${tooLong(63)}`);
  if (!matches(name, qualified))
    problems.push(regexError(message, qualified, 'MyName', 'my.name', '123-abc'));
  return problems;
}

export function labelValueProblems(value: string): readonly string[] {
  const message =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [
    ...(byteLength(value) > 63 ? [tooLong(63)] : []),
    ...(matches(value, labelValue) ? [] : [regexError(message, labelValue, 'MyValue', 'my_value', '12345')]),
  ];
}

const labelForm = 'only lower-case letters, digits and "-" are allowed, a letter or digit first and last';

function lengthProblem(value: string, most: number): string | undefined {
  return value.length > most ? `it has ${value.length} characters; ${most} are allowed` : undefined;
}

/**
 * Checks a subdomain, such as an API group, like `IsDNS1123Subdomain`. A subdomain consists of labels joined by dots. Unlike in DNS, the
 * length of a single label is not limited.
 */
export function subdomainProblem(value: string): string | undefined {
  if (value === '') return 'it is empty';
  const long = lengthProblem(value, subdomainMost);
  if (long !== undefined) return long;
  for (const part of value.split('.')) {
    const problem = part === '' ? 'it is empty' : matches(part, label) ? undefined : labelForm;
    if (problem !== undefined)
      return value.includes('.') ? `in its part ${JSON.stringify(part)}, ${problem}` : problem;
  }
  return undefined;
}

/** Checks a label like `IsDNS1123Label`. */
export function label1123Problem(value: string): string | undefined {
  if (value === '') return 'it is empty';
  return lengthProblem(value, labelMost) ?? (matches(value, label) ? undefined : labelForm);
}

/** Checks a label like `IsDNS1035Label`. Such a label must begin with a letter. Used, for example, for the plural or a version of a CRD. */
export function label1035Problem(value: string): string | undefined {
  return label1123Problem(value) ?? (/^[a-z]/.test(value) ? undefined : 'it must begin with a letter');
}

/**
 * Checks the kind or the list kind of a CRD. In lower case, it must be a valid label. Source: apiextensions
 * `ValidateCustomResourceDefinitionNames`.
 */
export function kindProblem(value: string): string | undefined {
  return label1035Problem(value.toLowerCase())?.replace('lower-case letters', 'letters');
}

/** Checks the key of a label or an annotation like `IsQualifiedName`: `name` or `prefix/name`. */
export function qualifiedNameProblem(key: string): string | undefined {
  const [first = '', second, ...more] = key.split('/');
  if (more.length > 0) return 'it has more than one slash';
  const prefixProblem = second === undefined ? undefined : subdomainProblem(first);
  if (prefixProblem !== undefined) return `in front of the slash, ${prefixProblem}`;
  return qualifiedPartProblem(second ?? first);
}

/**
 * Checks the value of a label like `IsValidLabelValue`. The value may be empty; otherwise it follows the rules for the name part of a
 * qualified name.
 */
export function labelValueProblem(value: string): string | undefined {
  return value === '' ? undefined : qualifiedPartProblem(value);
}

function qualifiedPartProblem(text: string): string | undefined {
  if (text === '') return 'the name is empty';
  const form = 'only letters, digits, "-", "_" and "." are allowed, a letter or digit first and last';
  return lengthProblem(text, labelMost) ?? (matches(text, qualified) ? undefined : form);
}
