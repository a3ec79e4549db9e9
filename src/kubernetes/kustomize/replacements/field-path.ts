/** A part of a path such as `spec.containers.[name=manager].args.0`. */
export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  /** `*`: every item of a list. */
  | { readonly kind: 'every' }
  /** `[field=text]`: the items whose field matches; the item itself, a scalar, if the field is empty. */
  | { readonly kind: 'match'; readonly field: string; readonly text: string };

/** A path, or what an object has at it, that a replacement cannot use. */
export class FieldPathError extends Error {}

/**
 * Reads a path of a replacement. Dots in names are written as `\.`, or the whole name in brackets:
 * `metadata.annotations.[cert-manager.io/inject-ca-from]`.
 *
 * @throws FieldPathError
 */
export function parseFieldPath(path: string): readonly PathStep[] {
  const steps = splitPath(path).map((part): PathStep => {
    if (part === '') throw new FieldPathError('a part of it is empty');
    if (part === '*') return { kind: 'every' };
    if (/^[+-]?\d+$/.test(part) && Number(part) >= 0) return { kind: 'index', index: Number(part) };
    if (!part.startsWith('[') || !part.endsWith(']')) return { kind: 'field', name: part };
    const [, field, text] = /^\[([^=]*)=(.*)\]$/s.exec(part) ?? [];
    if (field === undefined || text === undefined)
      throw new FieldPathError(`${part} has no '='; brackets are for names with dots, and for [name=value]`);
    return { kind: 'match', field, text };
  });
  return steps;
}

/** Source: `kyaml/utils/pathsplitter.go`, SmarterPathSplitter. */
function splitPath(path: string): readonly string[] {
  const parts = splitAtDots(path);
  const result: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    let part = parts[index] ?? '';
    if (part.startsWith('[') && !part.endsWith(']')) {
      while (index < parts.length - 1 && !part.endsWith(']')) part += `.${parts[++index] ?? ''}`;
      if (!part.includes('=')) part = part.replace(/^[[\]]+|[[\]]+$/g, '');
    }
    result.push(part);
  }
  return result;
}

function splitAtDots(path: string): readonly string[] {
  const parts = path.split('.');
  if (parts.length > 1 && parts[0] === '') parts.shift();
  const result: string[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.endsWith('\\') === true) result[result.length - 1] = `${last.slice(0, -1)}.${part}`;
    else result.push(part);
  }
  return result;
}
