import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boilerplate, licenses, spdxOf, type License } from '../plan-files.ts';
import { type TemplateModel, prepareTemplate, type PreparedTemplate } from '../engine.ts';
import { renderSet, templatesRoot } from '../template-tree.ts';
import { camelCase, defaultControllerName, pascalCase, type ControllerId } from '../../project/index.ts';

/** The licence and owner that a header of ours is made from. */
interface HeaderTerms {
  readonly license: License;
  readonly owner: string | undefined;
}

/** Reads licence and owner from a project's header; undefined for a text that is not one of ours. */
export function readHeader(text: string): HeaderTerms | undefined {
  const header = text.replaceAll('\r\n', '\n').trimEnd();
  const owner = /^Copyright (.+)\.$/m.exec(header)?.[1];
  const license = licenses.find((each) => boilerplate(each, owner) === header);
  return license === undefined ? undefined : { license, owner };
}

/** The file with the header of new source files. */
export function headerFile({ license, owner }: HeaderTerms): string {
  return `${boilerplate(license, owner)}\n`;
}

/**
 * The text of package.json with another licence, if it has one of ours.
 * @returns undefined if it has another one, or none
 */
export function withLicense(packageJson: string, license: License): string | undefined {
  const ours = Object.values(spdxOf).join('|');
  const pattern = new RegExp(`^(\\s*"license"\\s*:\\s*)"(?:${ours})"`, 'm');
  return pattern.test(packageJson)
    ? packageJson.replace(pattern, (_, key: string) => `${key}${JSON.stringify(spdxOf[license])}`)
    : undefined;
}

/** A new `ci.yaml`: how the catalogue of OperatorHub.io takes an operator. */
export async function ciConfigText(reviewers: readonly string[], projectRoot?: string): Promise<string> {
  const [file] = await renderSet('publish', publishModel(reviewers), {}, projectRoot);
  if (file === undefined) throw new TypeError('the set of templates for publishing is empty');
  return file.content;
}

/** The model for the templates of `publish`. */
export function publishModel(reviewers: readonly string[]): TemplateModel {
  return { hasReviewers: reviewers.length > 0, reviewers: reviewers.map((name) => ({ name })) };
}

/** HTML that a template or the sanitiser made: what `{{markup …}}` takes. */
export type Markup = { readonly markup: string };

/** The templates of `op-sdk bundle preview`, in `templates/preview`. */
type PreviewTemplate =
  | 'page.html'
  | 'page.css'
  | 'page.js'
  | 'overview.html'
  | 'bundle.html'
  | 'findings.html'
  | 'kind.html'
  | 'permissions.html'
  | 'channel.html';

/** They are part of the package and do not change while it runs. */
const prepared = new Map<PreviewTemplate, PreparedTemplate>();

/** Renders a part of the preview, or a file of it. */
export async function renderPreview(name: PreviewTemplate, model: TemplateModel = {}): Promise<Markup> {
  let template = prepared.get(name);
  if (template === undefined) {
    template = prepareTemplate(await readFile(join(templatesRoot, 'preview', `${name}.hbs`), 'utf8'));
    prepared.set(name, template);
  }
  return { markup: template.render(model) };
}

/** The names of a controller in the code. */
interface ControllerNames {
  /** In logs, metrics and the field manager, where it is not the default: the kind in lower case. */
  readonly name: string | undefined;
  /** The exported constant. */
  readonly exported: string;
  /** The name that main imports it under. */
  readonly local: string;
  /** The condition that it reports: two controllers of a kind must not report the same one. */
  readonly condition: string;
}

/**
 * The names of a controller.
 * @param ambiguousKind another group has a controller of this kind, so that the default names need the group
 */
export function controllerCodeNames(id: ControllerId, ambiguousKind: boolean): ControllerNames {
  const { group, kind, controllerName } = id;
  const byKind = `${camelCase(kind)}Controller`;
  const byDefault = defaultControllerName(kind);
  if (controllerName === undefined)
    return {
      name: ambiguousKind ? `${group}-${byDefault}` : undefined,
      exported: byKind,
      local: ambiguousKind ? groupedName(group, `${kind}Controller`) : byKind,
      condition: 'Ready',
    };
  if (controllerName === byDefault)
    return { name: undefined, exported: byKind, local: byKind, condition: 'Ready' };
  const words = controllerName.replace(/(?<=.)-?controller$/, '');
  const exported = `${camelCase(words)}Controller`;
  return { name: controllerName, exported, local: exported, condition: `${pascalCase(words)}Ready` };
}

/** A name that nothing of another group has; a group may begin with a digit, a name may not. */
export function groupedName(group: string, name: string): string {
  return camelCase(`${pascalCase(group)}${name}`).replace(/^(?=\d)/, 'group');
}
