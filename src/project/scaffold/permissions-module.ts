import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { render, type JsonValue } from './engine.ts';
import { templatesRoot } from './template-tree.ts';

/**
 * The rules of the operator's role as a TypeScript file, which the manager is given.
 * @param document `rules` in the words of `RbacRule`
 */
export async function renderPermissions(document: Readonly<Record<string, unknown>>): Promise<string> {
  const template = await readFile(join(templatesRoot, 'generated', 'rbac.ts.hbs'), 'utf8');
  return render(template, { rules: document['rules'] as JsonValue });
}
