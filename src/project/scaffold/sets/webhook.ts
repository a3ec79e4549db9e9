import {
  camelCase,
  fullGroup,
  kebabCase,
  layout,
  pascalCase,
  relativeImport,
  type ProjectResource,
} from '../../project/index.ts';
import type { TemplateModel } from '../engine.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';
import { variableFor } from './api.ts';
import { groupedName } from './controller-names.ts';

/** Values from which the admission webhooks of a version of a kind are scaffolded; every value has been checked. */
export interface WebhookInput {
  readonly resource: Pick<ProjectResource, 'group' | 'domain' | 'core' | 'version' | 'kind'>;
  /** True if the kind is not defined by the project. */
  readonly isForeign: boolean;
  /** Source from which the kind's token (the constant named `exportName`) is imported: a file of the project, or a module of a package. */
  readonly source: { readonly file: string } | { readonly module: string };
  readonly exportName: string;
  readonly defaulting: boolean;
  readonly validation: boolean;
  /** Path of the defaulting webhook; undefined for the default path. */
  readonly defaultingPath: string | undefined;
  readonly validationPath: string | undefined;
  /** The header of new source files, without comment markers. */
  readonly header: string;
}

/** Names in the scaffolded code for the webhooks of a kind, or for its conversion. */
export interface WebhookNames {
  /** Name of the exported constant. */
  readonly exported: string;
  /** Name under which `src/main.ts` imports the exported constant. */
  readonly local: string;
}

/** Names, other than the kind, that the scaffolded files import. */
const takenNames: ReadonlySet<string> = new Set(['AdmissionContext', 'Stored']);

/**
 * Returns the names in the code for the webhooks of a version of a kind.
 * @param others the resources of the project that have webhooks
 */
export function webhookNames(resource: ProjectResource, others: readonly ProjectResource[]): WebhookNames {
  const { group, version, kind } = resource;
  const exported = exportedName(kind, 'Webhook');
  const clashes = others.filter(
    (known) => known.kind === kind && (known.group !== group || known.version !== version),
  );
  const ofVersion = clashes.some((known) => known.group === group);
  const name = `${kind}${ofVersion ? pascalCase(version) : ''}Webhook`;
  const isGrouped = clashes.some((known) => known.group !== group);
  const local = isGrouped ? groupedName(group, name) : camelCase(name);
  return { exported, local: clashes.length === 0 ? exported : local };
}

/**
 * Returns the names in the code for the conversion of a kind.
 * @param others the resources of the project that have a conversion
 */
export function conversionNames(
  { group, kind }: Pick<ProjectResource, 'group' | 'kind'>,
  others: readonly ProjectResource[],
): WebhookNames {
  const exported = exportedName(kind, 'Conversion');
  const clashes = others.some((known) => known.kind === kind && known.group !== group);
  return { exported, local: clashes ? groupedName(group, `${kind}Conversion`) : exported };
}

/**
 * Returns the name of the exported constant. For the kind `Define`, the usual name would collide with a function imported from opsdk, such
 * as `defineWebhook`, so another name is used.
 */
function exportedName(kind: string, what: 'Webhook' | 'Conversion'): string {
  const name = camelCase(kind);
  return `${name === 'define' ? 'defineKind' : name}${what}`;
}

/**
 * Renders the webhooks and their test.
 * @param projectRoot absolute path of the project, which may contain template overrides
 */
export async function webhookFiles(
  input: WebhookInput,
  projectRoot: string,
): Promise<readonly RenderedFile[]> {
  const { group, version, kind } = input.resource;
  return renderSet('webhook', webhookModel(input), { group, version, kind: kebabCase(kind) }, projectRoot);
}

export function webhookModel(input: WebhookInput): TemplateModel {
  const { resource, source, exportName, defaulting, validation, defaultingPath, validationPath } = input;
  const kind = takenNames.has(resource.kind) ? `${resource.kind}Kind` : resource.kind;
  const file = layout.webhook(resource);
  const test = layout.webhookTest(resource);
  const kindFrom = (from: string): string =>
    'file' in source ? relativeImport(from, source.file) : source.module;
  const group = fullGroup(resource);
  return {
    header: input.header,
    hasHeader: input.header !== '',
    kind,
    kindName: resource.kind,
    exportName,
    renamed: exportName !== kind,
    foreign: input.isForeign,
    variable: variableFor(resource.kind),
    exported: exportedName(resource.kind, 'Webhook'),
    apiVersion: `${group === '' ? '' : `${group}/`}${resource.version}`,
    sampleName: `${resource.kind.toLowerCase()}-sample`,
    kindImport: kindFrom(file),
    kindImportFromTest: kindFrom(test),
    webhookImportFromTest: relativeImport(test, file),
    defaulting,
    validation,
    both: defaulting && validation,
    hasDefaultingPath: defaultingPath !== undefined,
    defaultingPath: defaultingPath ?? '',
    hasValidationPath: validationPath !== undefined,
    validationPath: validationPath ?? '',
  };
}

/**
 * Returns the options of `defineWebhook` as text, to be added by hand to an edited file. Comments are omitted, because the file may already
 * have them. If an option has a path, the text includes the path.
 */
export function webhookOptions(
  input: Pick<WebhookInput, 'defaultingPath' | 'validationPath'>,
  what: 'defaulting' | 'validation',
): readonly (readonly [name: string, written: string, path?: string])[] {
  const path = what === 'defaulting' ? input.defaultingPath : input.validationPath;
  return [
    what === 'defaulting'
      ? ['default', 'default() {}']
      : ['validate', 'validate: { create: () => [], update: () => [] }'],
    ...(path === undefined ? [] : [[what, `${what}: { path: '${path}' }`, path] as const]),
  ];
}

/** Values from which the conversions between the versions of a kind are scaffolded; every value has been checked. */
interface ConversionInput {
  readonly hub: Pick<ProjectResource, 'group' | 'version' | 'kind'> & { readonly path: string };
  readonly spokes: readonly ConversionSpoke[];
  /** The header of new source files, without comment markers. */
  readonly header: string;
}

export interface ConversionSpoke {
  readonly version: string;
  /** The file with the types of this version. */
  readonly path: string;
  /** The fields that the hub and this version share, other than metadata: `spec`, `status`. */
  readonly fields: readonly string[];
}

/**
 * Renders the conversion of a kind and its test.
 * @param projectRoot absolute path of the project, which may contain template overrides
 */
export async function conversionFiles(
  input: ConversionInput,
  projectRoot: string,
): Promise<readonly RenderedFile[]> {
  const { group, kind } = input.hub;
  return renderSet('conversion', conversionModel(input), { group, kind: kebabCase(kind) }, projectRoot);
}

/** Returns the variables for the templates of conversions. */
export function conversionModel({ hub, spokes, header }: ConversionInput): TemplateModel {
  const { kind } = hub;
  const file = layout.conversion(hub);
  const exported = exportedName(kind, 'Conversion');
  return {
    header,
    hasHeader: header !== '',
    kind,
    exported,
    hubVersion: hub.version,
    hubImport: relativeImport(file, hub.path),
    conversionImportFromTest: relativeImport(layout.conversionTest(hub), file),
    single: spokes.length === 1,
    spokes: spokes.map((spoke, index) => ({
      kind,
      exported,
      name: spokeName(kind, spoke.version),
      typesImport: relativeImport(file, spoke.path),
      fields: spoke.fields.map((field, at) => ({ field, last: at === spoke.fields.length - 1 })),
      last: index === spokes.length - 1,
    })),
  };
}

/**
 * Returns the name of a spoke's type in a conversion. It includes the version, because all versions of a kind export their type under the
 * same name.
 */
function spokeName(kind: string, version: string): string {
  return `${kind}${pascalCase(version)}`;
}

/** Returns a spoke as text, to be added by hand to an edited file. */
export function spokeText(
  kind: string,
  file: string,
  { version, path, fields }: ConversionSpoke,
): { readonly name: string; readonly importLine: string; readonly call: string } {
  const name = spokeName(kind, version);
  const names = fields.join(', ');
  const importLine = `import { ${kind} as ${name} } from '${relativeImport(file, path)}';`;
  const call = `.spoke(${name}, {
  to: ({ ${names} }) => ({ ${names} }),
  from: ({ ${names} }) => ({ ${names} }),
})`;
  return { name, importLine, call };
}
