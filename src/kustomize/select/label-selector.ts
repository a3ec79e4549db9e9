import { isObject, type Json } from '../resource.ts';

/** Whether labels or annotations meet a selector. */
export type LabelTest = (labels: Json | undefined) => boolean;

type Labels = ReadonlyMap<string, string>;
type Requirement = (labels: Labels) => boolean;

const token = /\s*(==|!=|[=!<>(),]|[^\s=!<>(),]+)\s*/y;
const qualifiedName =
  /^(?:(?=.{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const labelValue = /^(?:(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const integer = /^[+-]?\d+$/;

/**
 * Reads a selector such as `app=web,tier in (front, back),!legacy`.
 * Source of the language: Kubernetes, "Labels and Selectors", and `k8s.io/apimachinery/pkg/labels`.
 *
 * @throws LabelSelectorError
 */
export function parseLabelSelector(text: string): LabelTest {
  const tokens = tokenize(text);
  const requirements: Requirement[] = [];
  while (tokens.length > 0) {
    requirements.push(readRequirement(tokens));
    const next = tokens.shift();
    if (next === undefined) break;
    if (next !== ',') throw new LabelSelectorError(`there is '${next}' where a comma or the end belongs`);
    if (tokens.length === 0) throw new LabelSelectorError('it ends with a comma');
  }
  return (labels) => {
    const map = new Map<string, string>();
    for (const [key, value] of Object.entries(isObject(labels) ? labels : {}))
      if (typeof value !== 'object') map.set(key, String(value));
    return requirements.every((requirement) => requirement(map));
  };
}

export class LabelSelectorError extends Error {}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) tokens.push(match[1] ?? '');
  return tokens;
}

function readRequirement(tokens: string[]): Requirement {
  const negated = tokens[0] === '!';
  if (negated) tokens.shift();
  const key = tokens.shift() ?? '';
  if (!qualifiedName.test(key)) throw new LabelSelectorError(`'${key}' cannot be the name of a label`);
  const isExistence = tokens.length === 0 || tokens[0] === ',';
  if (isExistence) return (labels) => labels.has(key) !== negated;
  const operator = tokens.shift() ?? '';
  if (negated) throw new LabelSelectorError(`there is '${operator}' after '!${key}'`);
  switch (operator) {
    case '=':
    case '==':
    case '!=': {
      const value = checked(isWord(tokens[0]) ? (tokens.shift() ?? '') : '');
      return (labels) => (labels.get(key) === value) === (operator !== '!=');
    }
    case 'in':
    case 'notin': {
      const values = readSet(tokens);
      return operator === 'in'
        ? (labels) => labels.has(key) && values.has(labels.get(key) ?? '')
        : (labels) => !labels.has(key) || !values.has(labels.get(key) ?? '');
    }
    case '<':
    case '>': {
      const bound = tokens.shift() ?? '';
      if (!integer.test(bound)) throw new LabelSelectorError(`${operator} needs an integer`);
      return (labels) => {
        const value = labels.get(key) ?? '';
        if (!integer.test(value)) return false;
        return operator === '<' ? BigInt(value) < BigInt(bound) : BigInt(value) > BigInt(bound);
      };
    }
    default:
      throw new LabelSelectorError(`unknown operator '${operator}'`);
  }
}

function readSet(tokens: string[]): ReadonlySet<string> {
  if (tokens.shift() !== '(') throw new LabelSelectorError('in and notin need values in parentheses');
  const values = new Set<string>();
  for (;;) {
    values.add(checked(isWord(tokens[0]) ? (tokens.shift() ?? '') : ''));
    const next = tokens.shift();
    if (next === ')') return values;
    if (next !== ',') throw new LabelSelectorError('the parenthesis is not closed');
  }
}

function checked(value: string): string {
  if (!labelValue.test(value)) throw new LabelSelectorError(`'${value}' cannot be the value of a label`);
  return value;
}

function isWord(word: string | undefined): boolean {
  return word !== undefined && !/^(?:==|!=|[=!<>(),])$/.test(word);
}
