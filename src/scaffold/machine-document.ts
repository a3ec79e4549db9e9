import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { render, TemplateError, type JsonValue } from './engine.ts';
import { templatesRoot } from './template-tree.ts';

/**
 * The text of a document that machines write: a header and the object as YAML, from `templates/machine/<name>.yaml.hbs`.
 * These templates cannot be overridden. The text is read back and must equal the object.
 * @param document plain JSON
 */
export async function renderMachineDocument(name: string, document: object): Promise<string> {
  const template = await readFile(join(templatesRoot, 'machine', `${name}.yaml.hbs`), 'utf8');
  // undefined properties are left out, as on the wire.
  const plain = JSON.parse(JSON.stringify(document)) as JsonValue;
  const text = render(template, { document: plain });
  // Kubernetes reads YAML 1.1; what was written must mean the same in both versions.
  for (const version of ['1.1', '1.2'] as const) {
    if (isDeepStrictEqual(parse(text, { version, merge: false }), plain)) continue;
    throw new TemplateError(`machine/${name}: the YAML does not read back as the object it was made from`);
  }
  return text;
}
