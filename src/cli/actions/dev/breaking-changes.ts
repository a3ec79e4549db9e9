import { diffCrds, readDefinitions, type CrdChange } from '../../../kubernetes/crd/index.ts';
import { projectWord } from '../../flags/words.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';

/** The changes that a line of the report names. */
const shown = 3;

/**
 * A warning for those who have objects of a kind whose definition changes in a breaking way, such as by the new name of a field: the API
 * server drops its value from objects that exist.
 * @returns undefined if nothing breaks
 */
export function breakingChanges(
  old: readonly PlacedObject[],
  now: readonly PlacedObject[],
): string | undefined {
  const changes = diffCrds(definitionsOf(old, 'old'), definitionsOf(now, 'new'));
  const breaking = changes.filter(({ severity }) => severity === 'breaking');
  if (breaking.length === 0) return undefined;
  const more = breaking.length > shown ? `, and ${breaking.length - shown} more` : '';
  return (
    `breaking for users and stored objects, once released: ${breaking.slice(0, shown).map(textOf).join('; ')}${more}. ` +
    `A further version with a conversion keeps both forms (op-sdk create api); see op-sdk crd diff git:HEAD ${projectWord}`
  );
}

function definitionsOf(objects: readonly PlacedObject[], side: 'old' | 'new') {
  const documents = objects.map(({ object, where }) => ({ value: object, locate: () => where }));
  return readDefinitions(documents, side).definitions;
}

function textOf({ crd, version, path, message }: CrdChange): string {
  return `${crd}${version === undefined ? '' : ` ${version}`} ${path}: ${message}`;
}
