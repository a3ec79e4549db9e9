/** The group of an apiVersion: `apps` of `apps/v1`, `''` (the core group) of `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
