/**
 * Which paths of the build context a Dockerfile copies, by its COPY and ADD instructions that name no other stage.
 *
 * @returns whether a path is copied; undefined if it mounts its context, or builds nothing, so that COPY says nothing of sources
 */
export function copiedPaths(dockerfile: string): ((path: string) => boolean) | undefined {
  const lines = dockerfile.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/);
  const runs = lines.filter((line) => /^\s*RUN\s/i.test(line));
  if (runs.some((line) => /--mount=type=bind/i.test(line)) || !runs.some((line) => /build/.test(line)))
    return undefined;
  const copied = lines.flatMap((line) => {
    const [, rest] = /^\s*(?:COPY|ADD)\s+(.+)$/i.exec(line) ?? [];
    if (rest === undefined || /--from=/.test(rest)) return [];
    const words = rest.startsWith('[') ? jsonWords(rest) : rest.split(/\s+/);
    return words.filter((word) => !word.startsWith('--')).slice(0, -1);
  });
  // Of a folder whose files are picked by a pattern something is copied, and what is left out is left out on purpose.
  return (path) => copied.some((pattern) => covers(pattern, path) || clean(pattern).startsWith(`${path}/`));
}

/** True if a .dockerignore leaves a path out: the last line that fits decides. Source: Docker's reference of .dockerignore. */
export function ignores(dockerignore: string, path: string): boolean {
  let ignored = false;
  for (const line of dockerignore.split(/\r?\n/)) {
    const rule = line.trim();
    if (rule === '' || rule.startsWith('#')) continue;
    const isException = rule.startsWith('!');
    if (covers(isException ? rule.slice(1) : rule, path)) ignored = !isException;
    // `*` and `!src/**`: parts of the folder come along, which ones is not looked into.
    else if (isException && clean(rule.slice(1)).startsWith(`${path}/`)) ignored = false;
  }
  return ignored;
}

/** True if a pattern names a path or a folder above it. */
function covers(pattern: string, path: string): boolean {
  const wanted = clean(pattern);
  if (wanted === '' || wanted === '.') return true;
  const parts = path.split('/');
  const expression = new RegExp(
    `^${wanted.split('/').map(segment).join('/').replaceAll('.*/', '(?:.*/)?')}$`,
  );
  return parts.some((_, index) => expression.test(parts.slice(0, index + 1).join('/')));
}

function clean(pattern: string): string {
  return pattern.replace(/^\.?\//, '').replace(/\/+$/, '');
}

function segment(text: string): string {
  if (text === '**') return '.*';
  return text
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}

function jsonWords(text: string): readonly string[] {
  try {
    return (JSON.parse(text) as readonly unknown[]).filter((word) => typeof word === 'string');
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
