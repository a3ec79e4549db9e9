import { closestName } from '../../../base/util/closest-name.ts';
import { celFunctions, celLoops, otherCelMacros } from './cel-functions.ts';
import type { CelTree } from './cel-tree.ts';
import type { CelType } from './cel-type.ts';

/** A call of a function that no version has. */
export function unknownFunction(name: string): string {
  const known = [...celFunctions, ...Object.keys(celLoops), ...otherCelMacros];
  return `unknown function \`${name}\`${meantName(name, known) ?? '; no version of Kubernetes up to 1.36 has it'}`;
}

/** Which of the known names was probably meant, as the end of a message. */
export function meantName(name: string, known: Iterable<string>): string | undefined {
  const closest = closestName(name, known);
  return closest && `; did you mean \`${closest}\`?`;
}

/** Names as the end of a message. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

const articles: Partial<Record<CelType['kind'], string>> = {
  object: 'an',
  int: 'an',
  optional: 'an',
  any: '',
};

/** The type in words, with its article. */
export function namedCelType({ kind }: CelType): string {
  return `${articles[kind] ?? 'a'} ${kind}`;
}

/** The value that a problem is about. */
export function shownValue(tree: CelTree): string {
  const path = pathOf(tree);
  return path === undefined ? 'the value' : `\`${path}\``;
}

function pathOf(tree: CelTree): string | undefined {
  if (tree.kind === 'literal')
    return tree.value[0] === 'string' ? JSON.stringify(tree.value[1]) : tree.value[1];
  if (tree.kind === 'name') return tree.name;
  if (tree.kind === 'select') {
    const before = pathOf(tree.of);
    return before && `${before}.${tree.isOptional ? '?' : ''}${tree.name}`;
  }
  if (tree.kind === 'index') {
    const before = pathOf(tree.of);
    return before && `${before}[…]`;
  }
  return undefined;
}
