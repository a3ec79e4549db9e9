/**
 * The names of Kubernetes as the API server checks them, for words that follow "is not valid: ".
 * Source: apimachinery `pkg/util/validation/validation.go`.
 */
const label1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const LABEL_MAX = 63;
const SUBDOMAIN_MAX = 253;
const labelForm = 'only lower-case letters, digits and "-" are allowed, a letter or digit first and last';

function tooLong(value: string, most: number): string | undefined {
  return value.length > most ? `it has ${value.length} characters; ${most} are allowed` : undefined;
}

/** `IsDNS1123Subdomain`: labels joined by dots, such as a group. Unlike DNS itself it sets no limit to a single label. */
export function subdomainProblem(value: string): string | undefined {
  if (value === '') return 'it is empty';
  const long = tooLong(value, SUBDOMAIN_MAX);
  if (long !== undefined) return long;
  for (const part of value.split('.')) {
    const problem = part === '' ? 'it is empty' : label1123.test(part) ? undefined : labelForm;
    if (problem !== undefined)
      return value.includes('.') ? `in its part ${JSON.stringify(part)}, ${problem}` : problem;
  }
  return undefined;
}

/** `IsDNS1123Label`. */
export function label1123Problem(value: string): string | undefined {
  if (value === '') return 'it is empty';
  return tooLong(value, LABEL_MAX) ?? (label1123.test(value) ? undefined : labelForm);
}

/** `IsDNS1035Label`: a label that begins with a letter, such as a plural or a version. */
export function label1035Problem(value: string): string | undefined {
  return label1123Problem(value) ?? (/^[a-z]/.test(value) ? undefined : 'it must begin with a letter');
}

/** A kind or a list kind: a label when written in lower case. Source: apiextensions `ValidateCustomResourceDefinitionNames`. */
export function kindProblem(value: string): string | undefined {
  return label1035Problem(value.toLowerCase())?.replace('lower-case letters', 'letters');
}

/** `IsQualifiedName`: a key of a label or an annotation, `name` or `prefix/name`. */
export function qualifiedNameProblem(key: string): string | undefined {
  const [first = '', second, ...more] = key.split('/');
  if (more.length > 0) return 'it has more than one slash';
  const prefixProblem = second === undefined ? undefined : subdomainProblem(first);
  if (prefixProblem !== undefined) return `in front of the slash, ${prefixProblem}`;
  return qualifiedPartProblem(second ?? first);
}

/** `IsValidLabelValue`: empty, or as a name. */
export function labelValueProblem(value: string): string | undefined {
  return value === '' ? undefined : qualifiedPartProblem(value);
}

function qualifiedPartProblem(text: string): string | undefined {
  if (text === '') return 'the name is empty';
  const form = 'only letters, digits, "-", "_" and "." are allowed, a letter or digit first and last';
  return tooLong(text, LABEL_MAX) ?? (qualified.test(text) ? undefined : form);
}
