import { controllerFile, layout, relativeImport, type ControllerId } from '../../project/index.ts';
import type { TemplateModel } from '../engine.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';
import { controllerEntry, variableFor, type ReadFile } from './api.ts';
import { controllerCodeNames } from './controller-id.ts';

/** A controller of a kind that the project does not define: one of Kubernetes itself, or of others. Every value has been checked. */
export interface ForeignInput {
  readonly projectName: string;
  /** The domain of the project. */
  readonly domain: string;
  /** The group is that of PROJECT, without its domain. */
  readonly controller: ControllerId;
  /** Another group has a controller of this kind, so that its names need the group. */
  readonly ambiguousKind: boolean;
  /** The exporter of the kind's token: a file of the project, or a module of a package. */
  readonly source: { readonly file: string } | { readonly module: string };
  /** The name of that export. */
  readonly exportName: string;
  /** The file with the CustomResourceDefinition for tests; none for a built-in kind. */
  readonly crd: string | undefined;
  /** True if a control plane can serve the kind: there is a definition, or none is needed. */
  readonly testable: boolean;
  /** The header of new source files, without comment signs. */
  readonly header: string;
}

/** Names that the scaffolded files import or need beside the kind. */
const takenNames: ReadonlySet<string> = new Set(['ControlPlane', 'Manager', 'ObjectMeta', 'Pick', 'Promise']);

/** The controller and its tests. Absolute `projectRoot` for its template overrides. */
export async function foreignFiles(
  input: ForeignInput,
  projectRoot: string,
): Promise<readonly RenderedFile[]> {
  const names = { group: input.controller.group, controller: controllerFile(input.controller) };
  const model = foreignModel(input);
  return [
    ...(await renderSet('foreign-controller', model, names, projectRoot)),
    ...(input.testable ? await renderSet('foreign-integration', model, names, projectRoot) : []),
  ];
}

/** The model for the templates of such a controller. */
export function foreignModel(input: ForeignInput): TemplateModel {
  const { controller: id, source, exportName, crd, projectName } = input;
  const code = controllerCodeNames(id, input.ambiguousKind);
  const kind = takenNames.has(id.kind) ? `${id.kind}Kind` : id.kind;
  const controller = layout.controller(id);
  const test = layout.controllerTest(id);
  const kindFrom = (file: string): string =>
    'file' in source ? relativeImport(file, source.file) : source.module;
  return {
    projectName,
    header: input.header,
    hasHeader: input.header !== '',
    kind,
    exportName,
    renamed: exportName !== kind,
    variable: variableFor(id.kind),
    controllerName: code.exported,
    named: code.name !== undefined,
    name: code.name ?? id.kind.toLowerCase(),
    label: `${projectName}.${input.domain}/managed`,
    kindImport: kindFrom(controller),
    kindImportFromTest: kindFrom(test),
    controllerImportFromTest: relativeImport(test, controller),
    hasCrd: crd !== undefined,
    crd: crd ?? '',
  };
}

/**
 * The file that such a controller is entered into: main.
 * @throws OpSdkError `scaffold/marker-missing`, with what to add by hand
 */
export async function foreignEdits(input: ForeignInput, read: ReadFile): Promise<readonly RenderedFile[]> {
  const { exported, local } = controllerCodeNames(input.controller, input.ambiguousKind);
  return controllerEntry({ exported, local, file: layout.controller(input.controller) }, read);
}
