import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseYamlDocuments } from '../util/yaml-read.ts';
import { render, type JsonValue } from './engine.ts';
import { templatesRoot } from './template-tree.ts';

/**
 * A document that only machines write, as a file: the header of `templates/machine/<template>.yaml.hbs`, then the document.
 * The text is read back: it must say exactly what the document says.
 */
export async function renderMachineDocument(
  template: string,
  document: Readonly<Record<string, unknown>>,
): Promise<string> {
  const source = await readFile(join(templatesRoot, 'machine', `${template}.yaml.hbs`), 'utf8');
  const plain = JSON.parse(JSON.stringify(document)) as { readonly [name: string]: JsonValue };
  const text = render(source, { document: plain });
  const [read, ...more] = parseYamlDocuments(text, `${template}.yaml`);
  if (read === undefined || more.length > 0 || !isDeepStrictEqual(read.value, plain)) {
    throw new Error(`the template machine/${template}.yaml.hbs does not give the document back`);
  }
  return text;
}
