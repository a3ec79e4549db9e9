import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { JSON_SCHEMA, load } from 'js-yaml';
import { parseYamlDocuments } from '../yaml/read-yaml.ts';
import { withoutMarkerAfterComment } from '../yaml/stream.ts';
import { render, type JsonValue } from './engine.ts';
import { isSameText } from './plan-files.ts';
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
  if (!saysExactly(text, plain)) {
    throw new Error(`the template machine/${template}.yaml.hbs does not give the document back`);
  }
  return text;
}

/**
 * Whether a file is what op-sdk writes for its document, byte for byte: nobody edited it. Files of earlier versions, which had a
 * `---` line below the header, count.
 */
export async function isMachineDocument(
  text: string,
  template: string,
  document: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  return isSameText(withoutMarkerAfterComment(text), await renderMachineDocument(template, document));
}

function saysExactly(text: string, document: unknown): boolean {
  // Six times as fast as the parser that has the last word; they differ on numbers and words that few documents hold.
  if (isDeepStrictEqual(quicklyRead(text), document)) return true;
  const [read, ...more] = parseYamlDocuments(text, 'a machine document');
  return read !== undefined && more.length === 0 && isDeepStrictEqual(read.value, document);
}

function quicklyRead(text: string): unknown {
  try {
    return load(text, { schema: JSON_SCHEMA });
  } catch {
    // The other parser says what is wrong, if anything is.
    return undefined;
  }
}
