import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { withoutMarkerAfterComment } from '../../kubernetes/yaml/index.ts';
import {
  prepareTemplate,
  TemplateError,
  type JsonValue,
  type PreparedTemplate,
  render,
  type TemplateModel,
} from './engine.ts';
import { isSameText } from './plan-files.ts';
import { templatesRoot } from './template-tree.ts';

type Document = Readonly<Record<string, unknown>>;

/**
 * Renders a document that is written only by op-sdk. The template `templates/machine/<template>.yaml.hbs` defines its shape: a header, then
 * the keys of the document down to the second level, in the order and format of sigs.k8s.io/yaml. Alternatively, a template may write the
 * complete document, whatever its shape, with the variable `document`.
 * @param document plain JSON; properties that are `undefined` are omitted
 * @throws TemplateError if the template would omit a part of the document, or requires a part that the document lacks
 */
export async function renderMachineDocument(template: string, document: Document): Promise<string> {
  const { prepared, shape } = machineTemplate(template);
  if (isWhole(shape)) return prepared.render({ document: document as JsonValue });
  const misfit = misfitOf(shape, document);
  if (misfit !== undefined) throw new TemplateError(`machine/${template}.yaml.hbs: ${misfit}`);
  return prepared.render(documentModel(shape, document));
}

/** Returns true if a template writes the document completely and adds nothing. */
export function fitsMachineTemplate(template: string, document: Document): boolean {
  const { shape } = machineTemplate(template);
  return isWhole(shape) || misfitOf(shape, document) === undefined;
}

/**
 * Returns true if a file is unedited, that is, if it equals the text that op-sdk writes for its document, apart from line endings. Files of
 * earlier versions, which had a `---` line below the header, also count as unedited.
 */
export async function isMachineDocument(
  text: string,
  template: string,
  document: Document,
): Promise<boolean> {
  return (
    fitsMachineTemplate(template, document) &&
    isSameText(withoutMarkerAfterComment(text), await renderMachineDocument(template, document))
  );
}

interface MachineTemplate {
  readonly prepared: PreparedTemplate;
  readonly shape: DocumentShape;
}

/** Cache of the templates. They need not be read again, because they are part of the package and do not change at run time. */
const read = new Map<string, MachineTemplate>();

function machineTemplate(name: string): MachineTemplate {
  const known = read.get(name);
  if (known !== undefined) return known;
  const prepared = prepareTemplate(readFileSync(join(templatesRoot, 'machine', `${name}.yaml.hbs`), 'utf8'));
  const template = { prepared, shape: documentShape(prepared) };
  read.set(name, template);
  return template;
}

function isWhole({ leaves }: DocumentShape): boolean {
  return leaves.has('document');
}

/**
 * Renders the rules of the operator's role as a TypeScript file. The operator passes them to the manager.
 * @param document document with `rules` in the form of `RbacRule`
 */
export async function renderPermissions(document: Readonly<Record<string, unknown>>): Promise<string> {
  const template = await readFile(join(templatesRoot, 'generated', 'rbac.ts.hbs'), 'utf8');
  return render(template, { rules: document['rules'] as JsonValue });
}

/** Describes the documents that a template of machine documents can write. All sets contain paths such as `spec.names`. */
interface DocumentShape {
  /** Paths of the values that the template writes. */
  readonly leaves: ReadonlySet<string>;
  /** Paths of the leaves over which the template iterates with `each`. */
  readonly lists: ReadonlySet<string>;
  /** Paths of the leaves that may be missing, because the template tests them with `has`. */
  readonly optional: ReadonlySet<string>;
  /** Paths of the lists that may be empty, because the template tests them with `some`. */
  readonly emptiable: ReadonlySet<string>;
}

export function documentShape(template: PreparedTemplate): DocumentShape {
  return {
    leaves: new Set(template.variables.filter((path) => !path.includes('[]'))),
    lists: template.variablesIn('each'),
    optional: template.variablesIn('has'),
    emptiable: template.variablesIn('some'),
  };
}

/**
 * Returns the first problem: a part of the document that the template would omit, or a part that the template requires and the document
 * lacks; undefined if the template writes exactly the document. Checks only the parts that the template names one by one, not parts that it
 * writes as one value.
 */
function misfitOf(shape: DocumentShape, document: Document): string | undefined {
  const required = [...shape.leaves].filter((path) => !shape.optional.has(path));
  const missing = required.find((path) => valueAt(document, path) === undefined);
  return missing === undefined ? unwritten(shape, document, '') : `${missing} is missing`;
}

/** Converts the document to a model with every variable of the template. Missing optional values become undefined. */
function documentModel(shape: DocumentShape, document: Document): TemplateModel {
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

/**
 * Returns the reason why the template does not write a value completely; undefined if it does. The reason names the first part that is not
 * written.
 */
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
    // A key with a dot would look like a path of several keys, so it is refused.
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
