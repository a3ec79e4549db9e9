/** One step of a JSON path. */
export type PathStep =
  | { readonly type: 'field'; readonly name: string }
  /** `[0]`, `[*]`, `[1:3]`, `[?(…)]`: items of a list (`[*]` also values of a map). */
  | { readonly type: 'items'; readonly any: boolean }
  /** `..name`: anywhere below. */
  | { readonly type: 'descendants' };

/**
 * Parses a JSON path of a printer column: `.status.conditions[?(@.type=="Ready")].status`.
 * Source: client-go `util/jsonpath`, the parts that a path without braces can use.
 * @returns the steps, or what is wrong with the path
 */
export function parseJsonPath(path: string): readonly PathStep[] | string {
  if (!path.startsWith('.')) return 'it does not start with a dot';
  const steps: PathStep[] = [];
  let rest = path;
  while (rest !== '') {
    const field = /^\.((?:[^.[\]\s{}\\]|\\.)+)/.exec(rest);
    const quoted = /^\.?\[(['"])((?:(?!\1)[^\\]|\\.)+)\1\]/.exec(rest);
    const items = /^\[(?:(-?\d+)|(\*)|-?\d*:-?\d*(?::-?\d+)?|-?\d+(?:,-?\d+)+)\]/.exec(rest);
    const match = /^\.\.(?=[^.])/.exec(rest) ?? field ?? quoted ?? items;
    if (match === null) {
      const filter = filterLength(rest);
      if (filter === 0)
        return steps.length === 0
          ? 'it names no field'
          : `what follows ${path.slice(0, path.length - rest.length)} is not understood`;
      steps.push({ type: 'items', any: false });
      rest = rest.slice(filter);
      continue;
    }
    if (match[0] === '..') {
      steps.push({ type: 'descendants' });
      // The second dot, or the bracket after the first, belongs to the next step.
      rest = rest.slice(rest[2] === '[' ? 2 : 1);
      continue;
    }
    if (match === field)
      steps.push(
        field[1] === '*' ? { type: 'items', any: true } : { type: 'field', name: unescape(field[1] ?? '') },
      );
    else if (match === quoted) steps.push({ type: 'field', name: unescape(quoted[2] ?? '') });
    else steps.push({ type: 'items', any: match[2] !== undefined });
    rest = rest.slice(match[0].length);
  }
  return steps;
}

function unescape(name: string): string {
  return name.replace(/\\(.)/g, '$1');
}

/** The length of a filter `[?(…)]` at the start of the text, quoted brackets included; 0 if there is none. */
function filterLength(text: string): number {
  if (!text.startsWith('[?(')) return 0;
  return (
    /^\[\?\((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|[^"'[\]])+\)\]/.exec(text)?.[0].length ?? 0
  );
}
