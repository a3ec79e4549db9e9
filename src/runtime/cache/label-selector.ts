import { OpSdkError } from '../../errors/index.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

const KEY = String.raw`(?:[A-Za-z0-9.-]+\/)?[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?`;
const VALUE = String.raw`(?:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)?`;
const EXISTS = new RegExp(`^(!?)\\s*(${KEY})$`);
const EQUALS = new RegExp(`^(${KEY})\\s*(==?|!=)\\s*(${VALUE})$`);
const IN = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(\\s*(${VALUE}(?:\\s*,\\s*${VALUE})*)\\s*\\)$`);

/**
 * A label selector in the API's text form, for objects at hand: `app=web,tier!=db,env in (prod, test),!legacy`.
 * As in the API, `!=` and `notin` also match objects without the label.
 *
 * @throws OpSdkError `runtime/invalid-selector`
 */
export function parseLabelSelector(selector: string): (labels: Labels | undefined) => boolean {
  const requirements = split(selector).map((part) => requirement(part, selector));
  return (labels = {}) => requirements.every((matches) => matches(labels));
}

function requirement(part: string, selector: string): Requirement {
  const [, not, existing] = EXISTS.exec(part) ?? [];
  if (existing !== undefined) return (labels) => Object.hasOwn(labels, existing) === (not === '');
  const [, key, operator, value] = EQUALS.exec(part) ?? [];
  if (key !== undefined && value !== undefined) {
    return (labels) => (own(labels, key) === value) === (operator !== '!=');
  }
  const [, setKey, setOperator, list] = IN.exec(part) ?? [];
  if (setKey !== undefined && list !== undefined) {
    const values = new Set<string | undefined>(list.split(',').map((each) => each.trim()));
    return (labels) => values.has(own(labels, setKey)) === (setOperator === 'in');
  }
  throw new OpSdkError({
    code: 'runtime/invalid-selector',
    message: `label selector ${JSON.stringify(selector)}: invalid requirement ${JSON.stringify(part)}`,
    fix: ['write key=value, key!=value, key in (a, b), key notin (a, b), key or !key, separated by commas'],
  });
}

function own(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** The parts between the commas that are not inside parentheses; none for an empty selector. */
function split(selector: string): string[] {
  if (selector.trim() === '') return [];
  return selector.split(/,(?![^(]*\))/).map((part) => part.trim());
}
