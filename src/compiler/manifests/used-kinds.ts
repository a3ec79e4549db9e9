import type { Evaluated, SourcePlace, TokenInfo } from '../schema/index.ts';

/** A kind that a controller of the project reads, in the version that it reads. */
export interface UsedKind extends TokenInfo {
  readonly role: 'for' | 'owns' | 'watches';
  readonly place: SourcePlace;
}

const roles = ['for', 'owns', 'watches'] as const;

/**
 * The kinds that a controller declares, with the place of each use. What cannot be evaluated is passed over: `generate manifests`
 * refuses it where it reads the rules of the controller.
 * @param options what `defineController` was given
 */
export function usedKinds(options: Evaluated | undefined): readonly UsedKind[] {
  if (options?.type !== 'object') return [];
  return roles.flatMap((role) => {
    const value = options.properties.get(role)?.value;
    const values = value?.type === 'array' ? value.items : value === undefined ? [] : [value];
    return values.flatMap((item) =>
      item.type === 'token' ? [{ ...item.token, role, place: item.place }] : [],
    );
  });
}
