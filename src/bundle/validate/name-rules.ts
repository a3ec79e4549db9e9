/**
 * The names of Kubernetes as apimachinery checks them, for words that follow "is not valid: ".
 * Source: apimachinery `pkg/util/validation/validation.go`.
 */
export type NameProblem = string | undefined;

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const qualifiedPart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

const tooLong = (value: string, most: number): NameProblem =>
  value.length > most ? `it has ${value.length} characters; ${most} are allowed` : undefined;

/** `IsDNS1123Subdomain`: unlike DNS itself, it sets no limit to a single label. */
export function subdomainProblem(value: string): NameProblem {
  if (value === '') return 'it is empty';
  if (!subdomain.test(value))
    return 'only lower-case letters, digits, "-" and "." are allowed, a letter or digit first and last';
  return tooLong(value, 253);
}

/** `IsDNS1035Label`. */
export function label1035Problem(value: string): NameProblem {
  if (value === '') return 'it is empty';
  if (!label1035.test(value))
    return 'only lower-case letters, digits and "-" are allowed, a letter first, a letter or digit last';
  return tooLong(value, 63);
}

/** `IsValidLabelValue`. */
export function labelValueProblem(value: string): NameProblem {
  if (!labelValue.test(value))
    return 'as the value of a label it may hold letters, digits, "-", "_" and "." only, a letter or digit first and last';
  return tooLong(value, 63);
}

/** `IsQualifiedName`: the keys of labels, annotations and finalizers, `[prefix/]name`. */
export function qualifiedNameProblem(value: string): NameProblem {
  const [first = '', second, ...more] = value.split('/');
  if (more.length > 0) return 'it has more than one "/"';
  const name = second ?? first;
  if (second !== undefined) {
    const problem = subdomainProblem(first);
    if (problem !== undefined) return `in its prefix ${JSON.stringify(first)}, ${problem}`;
  }
  if (name === '') return 'its name is empty';
  if (!qualifiedPart.test(name))
    return 'its name may hold letters, digits, "-", "_" and "." only, a letter or digit first and last';
  return tooLong(name, 63);
}
