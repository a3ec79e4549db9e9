/**
 * Returns true if a path is remote: a URL, or a git repository in one of the forms that kustomize clones.
 * Source: kustomize `api/internal/git/repospec.go`.
 */
export function isRemotePath(path: string): boolean {
  const plain = path.replace(/^git::/i, '');
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(plain) ||
    /^github\.com[/:]/i.test(plain) ||
    /^[a-zA-Z][a-zA-Z0-9-]*@[^/]*[:/]/.test(plain) ||
    plain !== path
  );
}
