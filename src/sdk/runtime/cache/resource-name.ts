import type { Resource } from '../../api/index.ts';

/** `deployments.v1.apps`, `configmaps.v1`: plural, version and group. */
export function resourceName({ plural, version, group }: Resource): string {
  return [plural, version, group].filter((part) => part !== '').join('.');
}
