import { checkSubdomain } from '../../project/index.ts';

const NAME_MAX = 63;
const name = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** A key of a label or an annotation: `name` or `prefix/name`. Source: apimachinery `IsQualifiedName`. */
export function labelKeyProblem(key: string): string | undefined {
  const parts = key.split('/');
  if (parts.length > 2) return 'it has more than one slash';
  const [prefix, local] = parts.length === 2 ? parts : [undefined, key];
  const prefixProblem = prefix === undefined ? undefined : checkSubdomain(prefix);
  if (prefixProblem !== undefined) return `in front of the slash, ${prefixProblem}`;
  return nameProblem(local ?? '');
}

/** The value of a label: empty, or as a name. Source: apimachinery `IsValidLabelValue`. */
export function labelValueProblem(value: string): string | undefined {
  return value === '' ? undefined : nameProblem(value);
}

function nameProblem(text: string): string | undefined {
  if (text === '') return 'the name is empty';
  if (text.length > NAME_MAX) return `it has ${text.length} characters; ${NAME_MAX} are allowed`;
  return name.test(text)
    ? undefined
    : 'only letters, digits, "-", "_" and "." are allowed, a letter or digit first and last';
}
