import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareTemplate, type PreparedTemplate, type TemplateModel } from '../engine.ts';
import { templatesRoot } from '../template-tree.ts';

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

/** HTML from a template or the sanitiser, as the helper `{{markup …}}` requires. */
export type Markup = { readonly markup: string };

/** Cache of the templates. They are part of the package and do not change at run time. */
const prepared = new Map<PreviewTemplate, PreparedTemplate>();

/** Renders a part or a file of the bundle preview. */
export async function renderPreview(name: PreviewTemplate, model: TemplateModel = {}): Promise<Markup> {
  let template = prepared.get(name);
  if (template === undefined) {
    template = prepareTemplate(await readFile(join(templatesRoot, 'preview', `${name}.hbs`), 'utf8'));
    prepared.set(name, template);
  }
  return { markup: template.render(model) };
}
