import type { JsonValue, PreparedTemplate, TemplateModel } from './engine.ts';

/** The shape of the documents that a template of machine documents can write; all sets hold paths such as `spec.names`. */
export interface DocumentShape {
  /** The values that the template writes. */
  readonly leaves: ReadonlySet<string>;
  /** The leaves that it goes through with `each`. */
  readonly lists: ReadonlySet<string>;
  /** The leaves that may be missing: it asks with `has`. */
  readonly optional: ReadonlySet<string>;
  /** The lists that may be empty: it asks with `some`. */
  readonly emptiable: ReadonlySet<string>;
}

type Document = Readonly<Record<string, unknown>>;

export function documentShape(template: PreparedTemplate): DocumentShape {
  return {
    leaves: new Set(template.variables.filter((path) => !path.includes('[]'))),
    lists: template.variablesIn('each'),
    optional: template.variablesIn('has'),
    emptiable: template.variablesIn('some'),
  };
}

/**
 * Finds the first part of a document that its template would lose or make up; undefined if it writes exactly the document. Checks only
 * the parts that the template spells out, not those that it writes as a whole.
 */
export function misfitOf(shape: DocumentShape, document: Document): string | undefined {
  const required = [...shape.leaves].filter((path) => !shape.optional.has(path));
  const missing = required.find((path) => valueAt(document, path) === undefined);
  return missing === undefined ? unwritten(shape, document, '') : `${missing} is missing`;
}

/** The document as a model in which every variable of the template is present; what may be missing is undefined. */
export function documentModel(shape: DocumentShape, document: Document): TemplateModel {
  const model: Tree = {};
  for (const path of shape.leaves) {
    const steps = path.split('.');
    const name = steps.pop() ?? '';
    const parent = steps.reduce<Tree>((tree, step) => (tree[step] ??= {}) as Tree, model);
    parent[name] = valueAt(document, path) as JsonValue;
  }
  return model;
}

type Tree = { [name: string]: JsonValue };

/** Why the template does not write a part of the value; the first such part. */
function unwritten(shape: DocumentShape, value: unknown, path: string): string | undefined {
  if (shape.lists.has(path)) {
    if (!Array.isArray(value)) return `${path} is not a list`;
    return value.length > 0 || shape.emptiable.has(path) ? undefined : `${path} is empty`;
  }
  if (shape.leaves.has(path)) return undefined;
  const isSpelledOut = path === '' || [...shape.leaves].some((leaf) => leaf.startsWith(`${path}.`));
  if (!isSpelledOut) return `the template does not write ${path}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${path} is not a map`;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    // A key with a dot could pass for a path.
    if (!/^\w+$/.test(key)) return `the template does not write the key ${JSON.stringify(key)} of ${path}`;
    const found = unwritten(shape, inner, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueAt(document: Document, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Document)[key]
          : undefined,
      document,
    );
}
