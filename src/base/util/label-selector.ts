/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';
  /**
   * Values of the condition: exactly one for `=`, `==`, `!=`, `>` and `<`, at least one for `in` and `notin`, none for other operators.
   * Sorted, without duplicates.
   */
  readonly values: readonly string[];
}

/** Thrown for a text that is not a label selector; the message gives the reason. */
export class LabelSelectorError extends Error {}

// Matches the white space that Go's lexer accepts, not all white space of Unicode.
const token = /[ \t\r\n]*(==|!=|[=!<>(),]|[^ \t\r\n=!<>(),]+)/y;
const qualifiedName =
  /^(?:(?=.{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const labelValue = /^(?:(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const binary = new Set<string>(['=', '==', '!=', 'in', 'notin', '>', '<']);

/**
 * Reads a label selector as the API server does, such as `app=web,tier in (front, back),!legacy,generation>3`. An empty text
 * has no requirements. Source: `k8s.io/apimachinery/pkg/labels`.
 *
 * @throws LabelSelectorError
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  const tokens = tokenize(text);
  const requirements: LabelRequirement[] = [];
  while (tokens.length > 0) {
    requirements.push(readRequirement(tokens));
    const next = tokens.shift();
    if (next === undefined) break;
    if (next !== ',')
      throw new LabelSelectorError(`expected a comma or the end of the selector, got '${next}'`);
    if (tokens.length === 0) throw new LabelSelectorError('expected a label after the last comma');
  }
  return requirements;
}

/** Formats a selector as text. {@link parseLabelSelector} reads this text as the same requirements. */
export function formatLabelSelector(requirements: readonly LabelRequirement[]): string {
  return requirements
    .map(({ key, operator, values }) => {
      if (operator === 'exists') return key;
      if (operator === '!') return `!${key}`;
      if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.join(',')})`;
      return `${key}${operator}${values[0] ?? ''}`;
    })
    .join(',');
}

/**
 * Returns true if labels meet all requirements. A missing label meets `!=` and `notin`. `>` and `<` compare integers; a label value that is
 * not an integer does not meet them. Source: `labels.Requirement.Matches`.
 */
export function labelsMatch(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> = {},
): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'exists':
        return value !== undefined;
      case '!':
        return value === undefined;
      case '=':
      case '==':
      case 'in':
        return value !== undefined && values.includes(value);
      case '!=':
      case 'notin':
        return value === undefined || !values.includes(value);
      case '>':
      case '<': {
        const [have, bound] = [integer(value), integer(values[0])];
        if (have === undefined || bound === undefined) return false;
        return operator === '>' ? have > bound : have < bound;
      }
    }
  });
}

/** A label selector as it appears in a field of a Kubernetes object. Source: apimachinery `metav1.LabelSelector`. */
export interface ObjectLabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
}

/**
 * Converts the label selector of an object to requirements.
 * @throws LabelSelectorError for an operator that Kubernetes does not define
 */
export function labelRequirements(selector: ObjectLabelSelector): readonly LabelRequirement[] {
  const operators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' } as const;
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(
      ([key, value]) => ({ key, operator: '=', values: [value] }) as const,
    ),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      if (!Object.hasOwn(operators, operator))
        throw new LabelSelectorError(`expected In, NotIn, Exists or DoesNotExist, got '${operator}'`);
      return { key, operator: operators[operator as keyof typeof operators], values: sorted(values) };
    }),
  ];
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) tokens.push(match[1] ?? '');
  return tokens;
}

function readRequirement(tokens: string[]): LabelRequirement {
  const negated = tokens[0] === '!';
  if (negated) tokens.shift();
  const key = tokens.shift() ?? '';
  if (!qualifiedName.test(key)) throw new LabelSelectorError(`expected the key of a label, got '${key}'`);
  if (negated) return { key, operator: '!', values: [] };
  if (tokens.length === 0 || tokens[0] === ',') return { key, operator: 'exists', values: [] };
  const operator = tokens.shift() ?? '';
  if (!binary.has(operator))
    throw new LabelSelectorError(
      `expected one of ${[...binary].join(' ')} after '${key}', got '${operator}'`,
    );
  const values = operator === 'in' || operator === 'notin' ? readSet(tokens) : [readValue(tokens)];
  if ((operator === '>' || operator === '<') && integer(values[0]) === undefined)
    throw new LabelSelectorError(`expected an integer after '${key}${operator}', got '${values[0] ?? ''}'`);
  return { key, operator: operator as LabelRequirement['operator'], values };
}

function readSet(tokens: string[]): readonly string[] {
  const opening = tokens.shift();
  if (opening !== '(') throw new LabelSelectorError(`expected values in parentheses, got '${opening ?? ''}'`);
  const values: string[] = [];
  for (;;) {
    values.push(readValue(tokens));
    const next = tokens.shift();
    if (next === ')') return sorted(values);
    if (next !== ',') throw new LabelSelectorError(`expected a comma or ')', got '${next ?? ''}'`);
  }
}

/** Removes and returns the next token if it is a word. Otherwise removes nothing and returns `''`. */
function readValue(tokens: string[]): string {
  const isWord = tokens[0] !== undefined && !/^(?:==|!=|[=!<>(),])$/.test(tokens[0]);
  const value = isWord ? (tokens.shift() ?? '') : '';
  if (!labelValue.test(value)) throw new LabelSelectorError(`expected the value of a label, got '${value}'`);
  return value;
}

function sorted(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

/** Parses a 64-bit integer as Go's ParseInt does. */
function integer(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
