/**
 * Replaces mount paths in a text by the corresponding folders: `--data-dir=/data/db` becomes `--data-dir=FOLDER/db`. A path counts only as
 * a whole, so that `/data` is found neither in `/database` nor in `/var/data`.
 */
export function replaceMounts(text: string, mounts: Readonly<Record<string, string>>): string {
  // The longest paths come first, because a mount may be inside another one.
  const paths = Object.keys(mounts)
    .map((path) => path.replace(/\/+$/, ''))
    .filter((path) => path !== '')
    .sort((a, b) => b.length - a.length);
  if (paths.length === 0) return text;
  const escaped = paths.map((path) => path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`(?<![A-Za-z0-9._/-])(?:${escaped.join('|')})(?![A-Za-z0-9._-])`, 'g');
  return text.replaceAll(pattern, (path) => mounts[path] ?? mounts[`${path}/`] ?? path);
}
