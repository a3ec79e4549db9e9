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

/** HTML that a template or the sanitiser made: what `{{markup …}}` takes. */
export type Markup = { readonly markup: string };

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
