import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { withoutMarkerAfterComment } from '../../kubernetes/yaml/index.ts';
import { prepareTemplate, TemplateError, type JsonValue, type PreparedTemplate, render } from './engine.ts';
import { documentModel, documentShape, misfitOf, type DocumentShape } from './machine-model.ts';
import { isSameText } from './plan-files.ts';
import { templatesRoot } from './template-tree.ts';

type Document = Readonly<Record<string, unknown>>;

/**
 * A document that only machines write, as a file. `templates/machine/<template>.yaml.hbs` shows its shape: a header, then the keys of
 * the document down to the second level, in the order and the form of sigs.k8s.io/yaml. A template may also write any document as a
 * whole, as the variable `document`.
 *
 * @param document plain JSON; properties that are `undefined` are left out
 * @throws TemplateError if the template would lose a part of the document, or has one that the document lacks
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
 * Returns true if nobody has edited a file: apart from line ends, it is the text that op-sdk writes for its document. Files of
 * earlier versions, which had a `---` line below the header, count.
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

/** They are part of the package and do not change while it runs. */
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
 * The rules of the operator's role as a TypeScript file, which the manager is given.
 * @param document `rules` in the words of `RbacRule`
 */
export async function renderPermissions(document: Readonly<Record<string, unknown>>): Promise<string> {
  const template = await readFile(join(templatesRoot, 'generated', 'rbac.ts.hbs'), 'utf8');
  return render(template, { rules: document['rules'] as JsonValue });
}
